// Agreement of opposite views for every position of the axis, and whether noise and sampling explain how they differ
// there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "gpu/axis/opposite_pairs.h"

namespace tl::ops {

constexpr double clear_agreement = 5;  // correlation in sigmas that excludes chance
// 1 minus the correlation of opposite views, smoothed by 1 px, up to which sampling explains their difference in any
// scan: views shifted by a seventh of a pixel. Scales with the inverse square of the smoothing.
constexpr double sampling_mismatch = 5e-3;

// Margin [columns] beyond which the filter only uses pixels of the detector.
int64_t margin_of(double blur);

// Variance of the noise of all pixels [row, view, col], and that of what all views of a pixel share, mean over the
// rows. At least a thousandth of the rms absorption: counts are integers, and views are interpolated.
struct PixelNoise {
  at::Tensor variance;
  double shared = 0;
  double variance_floor = 0;  // that thousandth, as a variance, summed over the rows
};
PixelNoise pixel_noise(const at::Tensor& data);

// What opposite views may differ by: the variance of the slopes' noise, summed over rows and pairs, by column of the
// detector. From the noise of the pixels; at the seam of half a turn from the differences inside the scan if these are
// larger, which hold the error of the extrapolation.
struct ExpectedNoise {
  at::Tensor right, left;
  double variance_floor = 0;  // of one side: signals below that are none
};
ExpectedNoise expected_noise(const FilteredOppositePairs& pairs, const OppositePairPlan& plan,
                             const PixelNoise& pixels);

// How well opposite views agree, by axis position in steps of half a pixel, over all pairs on the columns that both
// views of a pair cover.
struct Agreement {
  std::vector<double> axis, correlation, significance;
  std::vector<double> residual;          // mean square over the columns, summed over pairs and rows
  std::vector<double> expected, energy;  // the same of the noise, and of both views
  std::vector<double> excess;            // residual over what noise and sampling explain, up to its scatter
  std::size_t best = 0;

  [[nodiscard]] bool is_top(std::size_t i) const;  // a maximum of the correlation?
};
Agreement agreement_of(const FilteredOppositePairs& pairs, const ExpectedNoise& noise);

// A smoothing, and the position at which opposite views agree best with it.
struct SmoothedAgreement {
  double blur = 0, significance = 0;
  Agreement agreement;

  // Largest correlation near the axis. Where noise dominates, its slopes look like those of the object.
  [[nodiscard]] double correlation_near(double axis) const;
  // Least excess near the axis; 0 if too few columns are shared there.
  [[nodiscard]] double excess_near(double axis) const;
  // What noise and sampling explain at the axis itself, between the positions of the raster.
  [[nodiscard]] double explained_near(double axis) const;
};

// Of the positions at which noise explains how opposite views differ, with every smoothing, the one where they agree
// most clearly; of all positions if there is none. A position where they share many columns may be more significant
// than the axis, where they share few, but they do not agree as well there. Returns the smoothing; the best of its
// agreement is that position.
std::size_t choose_position(std::vector<SmoothedAgreement>& tried);

// Another position that is about as good, if any.
std::optional<double> rival_position(const std::vector<SmoothedAgreement>& tried, const SmoothedAgreement& chosen);

}  // namespace tl::ops
