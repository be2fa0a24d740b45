// Pairs of opposite views: selects, filters and shifts them, and fits their shift and the error of the angles.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/region.h"

namespace tl::ops {

using ViewSum = std::vector<std::pair<int64_t, double>>;  // weighted sum of views: indices and weights

struct OppositePairPlan {
  bool full = false;                                             // a full turn: pairs everywhere
  double step = 0;                                               // [rad]
  std::vector<ViewSum> right, left, along_right, along_left;     // left: mirrored; along: change per angular step
  std::vector<double> angle;                                     // of the pairs [rad]
  std::vector<ViewSum> inside_right, inside_left, inside_along;  // unmirrored, from views inside half a turn
};

// For a full turn, changes along the angle are computed only on request: its shifts are fitted without them.
enum class PairChanges { if_needed, made };
// Takes ascending angles from 0 on, over half or a full turn; nullopt if no views are opposite or too few remain.
std::optional<OppositePairPlan> plan_opposite_pairs(const std::vector<double>& angles, double step,
                                                    PairChanges changes = PairChanges::if_needed);

// Subtracts from [row, view, col] the difference between the mean over the views and its median over nine neighbouring
// columns.
at::Tensor without_stripes(const at::Tensor& sinograms);

// Variance of the noise in both sides' sums, summed over rows and pairs, by column of the detector (not mirrored).
// `variance`: of the views' pixels, [row, view, col].
struct PairNoise {
  at::Tensor right, left;
};
PairNoise noise_of_pairs(const at::Tensor& variance, const OppositePairPlan& plan);

// The weighted sums of a plan, [pair, row, col], stored as spectra of their lines.
class OppositePairSpectra {
 public:
  OppositePairSpectra(const at::Tensor& sinograms, const OppositePairPlan& plan);

 private:
  friend class FilteredOppositePairs;
  int64_t cols_;
  at::Tensor right_, left_, along_right_, along_left_, inside_right_, inside_left_, inside_along_;
};

enum class OppositePairValues { slopes, values };

// The sums or their derivatives along the columns, smoothed by a Gaussian of `blur` px, [pair, row, col].
class FilteredOppositePairs {
 public:
  FilteredOppositePairs(const OppositePairSpectra& pairs, double blur,
                        OppositePairValues as = OppositePairValues::slopes);
  [[nodiscard]] double blur() const { return blur_; }
  [[nodiscard]] int64_t cols() const { return pairs_.cols_; }
  [[nodiscard]] at::Tensor right() const { return right_; }
  // Mirrored about the detector centre and shifted by `shift` px.
  [[nodiscard]] at::Tensor left(double shift) const;
  // Mean change of both sides per angular step.
  [[nodiscard]] at::Tensor along(double shift) const;
  [[nodiscard]] at::Tensor inside_right() const;
  [[nodiscard]] at::Tensor inside_left() const;
  [[nodiscard]] at::Tensor inside_along() const;

 private:
  [[nodiscard]] at::Tensor filtered(const at::Tensor& spectrum, double shift) const;
  const OppositePairSpectra& pairs_;
  double blur_;
  at::Tensor response_, right_;
};

// Least-squares fit of right - left = shift times the slope of both + angle_offset times their change per angular step.
struct PairFit {
  bool determined = false;
  double shift = 0, angle_offset = 0, shift_alone = 0;  // angle_offset in angular steps; shift_alone: fit without it
  double shift_variance = 0, angle_offset_variance = 0, shift_variance_alone = 0;  // for differences of unit variance
  double residual = 0;                                                             // mean square of the residual
};
PairFit fit_pairs_together(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along, const Range& cols);
// One fit per pair; `along` may be undefined.
std::vector<PairFit> fit_each_pair(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along,
                                   const Range& cols);
// Slope along the columns by central differences.
at::Tensor column_slope(const at::Tensor& x);

}  // namespace tl::ops
