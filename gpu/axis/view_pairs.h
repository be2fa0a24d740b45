// Pairs of opposite views: which views make them, how they are filtered and moved, how shift and turn are fitted.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/region.h"

namespace tl::ops {

using ViewSum = std::vector<std::pair<int64_t, double>>;  // views and their weights

struct PairPlan {
  bool full = false;                                             // a full turn: pairs everywhere
  double step = 0;                                               // [rad]
  std::vector<ViewSum> right, left, along_right, along_left;     // left ones are mirrored; along: change per step
  std::vector<double> angle;                                     // of the pairs [rad]
  std::vector<ViewSum> inside_right, inside_left, inside_along;  // the same without a mirror, inside half a turn
};

// Ascending angles from 0 on, over half a turn or a full one; nothing where none are opposite or too few are left.
std::optional<PairPlan> plan_pairs(const std::vector<double>& angles, double step);

// [row, view, col] without what the mean over the views has beyond the median of nine neighbouring columns.
at::Tensor without_stripes(const at::Tensor& sinograms);

// The sums of a plan, [pair, row, col] as spectra of their lines.
class ViewPairs {
 public:
  ViewPairs(const at::Tensor& sinograms, const PairPlan& plan);

 private:
  friend class FilteredPairs;
  int64_t cols_;
  at::Tensor right_, left_, along_right_, along_left_, inside_right_, inside_left_, inside_along_;
};

// Derivatives along the columns, smoothed by a Gaussian of `blur` px, [pair, row, col].
class FilteredPairs {
 public:
  FilteredPairs(const ViewPairs& pairs, double blur);
  [[nodiscard]] double blur() const { return blur_; }
  [[nodiscard]] int64_t cols() const { return pairs_.cols_; }
  [[nodiscard]] at::Tensor right() const { return right_; }
  // Mirror images about the detector centre, moved by `shift` px.
  [[nodiscard]] at::Tensor left(double shift) const;
  // Mean change per step of the angle on both sides.
  [[nodiscard]] at::Tensor along(double shift) const;
  [[nodiscard]] at::Tensor inside_right() const;
  [[nodiscard]] at::Tensor inside_left() const;
  [[nodiscard]] at::Tensor inside_along() const;

 private:
  [[nodiscard]] at::Tensor filtered(const at::Tensor& spectrum, double shift) const;
  const ViewPairs& pairs_;
  double blur_;
  at::Tensor response_, right_;
};

// right - left = shift times the slope of both + turn times their change along the angle, least squares.
struct PairFit {
  bool determined = false;
  double shift = 0, turn = 0, shift_alone = 0;                             // alone: with no turn
  double shift_variance = 0, turn_variance = 0, shift_variance_alone = 0;  // for differences of variance 1
  double residual = 0;                                                     // mean square
};
PairFit fit_together(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along, const Range& cols);
// Each pair for itself; `along` may be undefined.
std::vector<PairFit> fit_each(const at::Tensor& right, const at::Tensor& left, const at::Tensor& along,
                              const Range& cols);
// Central differences along the columns.
at::Tensor column_slope(const at::Tensor& x);

}  // namespace tl::ops
