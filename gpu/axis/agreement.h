// Agreement of opposite views for every position of the axis, and whether noise and sampling explain their differences
// there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "gpu/axis/opposite_pairs.h"

namespace tl::ops {

constexpr double clear_agreement = 5;  // correlation in sigmas that cannot be due to chance
// 1 minus the correlation of opposite views, smoothed by 1 px, up to which sampling explains their difference in any
// scan: views shifted by a seventh of a pixel. Scales with the inverse square of the smoothing.
constexpr double sampling_mismatch = 5e-3;

// Margin [columns] beyond which the filter only uses pixels of the detector.
int64_t margin_of(double blur);

// Variance of the noise of all pixels [row, view, col], and of the noise common to all views of a pixel, mean over the
// rows. At least a thousandth of the rms absorption: counts are integers, and views are interpolated.
struct PixelNoise {
  at::Tensor variance;
  double shared = 0;
  double variance_floor = 0;  // that minimum, as a variance, summed over the rows
};
PixelNoise pixel_noise(const at::Tensor& data);

// Expected differences of opposite views: the variance of the slopes' noise, summed over rows and pairs, by column of
// the detector. From the noise of the pixels; at the seam of half a turn from the differences inside the scan if these
// are larger, because they include the error of the extrapolation.
struct ExpectedNoise {
  at::Tensor right, left;
  double variance_floor = 0;  // for one side: weaker signals are ignored
};
ExpectedNoise expected_noise(const FilteredOppositePairs& pairs, const OppositePairPlan& plan,
                             const PixelNoise& pixels);

// How well opposite views agree, by axis position in steps of half a pixel, over all pairs and the columns that both
// views of a pair cover.
struct Agreement {
  std::vector<double> axis, correlation, significance;
  std::vector<double> residual;          // mean square over the columns, summed over pairs and rows
  std::vector<double> expected, energy;  // expected residual due to noise, and energy of both views
  std::vector<double> excess;            // residual relative to the explained one, allowing for its scatter
  std::size_t best = 0;

  [[nodiscard]] bool is_top(std::size_t i) const;  // a maximum of the correlation?
};
Agreement agreement_of(const FilteredOppositePairs& pairs, const ExpectedNoise& noise);

// A smoothing, and the position at which opposite views agree best with it.
struct SmoothedAgreement {
  double blur = 0, significance = 0;
  Agreement agreement;

  // Largest correlation near the axis. If noise dominates, its slopes resemble those of the object.
  [[nodiscard]] double correlation_near(double axis) const;
  // Least excess near the axis; 0 if too few columns are shared there.
  [[nodiscard]] double excess_near(double axis) const;
  // The residual explained by noise and sampling at the axis itself, between the positions of the raster.
  [[nodiscard]] double explained_near(double axis) const;
};

// Among the positions at which noise explains the differences of opposite views, with every smoothing, the one with the
// clearest agreement; among all positions if there is none. A position with many common columns may be more significant
// than the axis, where there are few, but the agreement there is worse. Returns the smoothing; the best position of its
// agreement is the chosen one.
std::size_t choose_position(std::vector<SmoothedAgreement>& tried);

// Another position that is about as good, if there is one.
std::optional<double> rival_position(const std::vector<SmoothedAgreement>& tried, const SmoothedAgreement& chosen);

}  // namespace tl::ops
