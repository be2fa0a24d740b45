// Sinograms prepared for the axis finders: repaired, sorted, without background; and half turns cut from them.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// Removal of the level outside the object: a straight line between the means of the outermost columns (2 % of the width
// on each side), one line per view, or one per row from all views together (less noise, but flicker remains); or none
// (keep).
enum class Background { per_view, per_row, keep };
// Number of columns on each side whose mean is the background level.
int64_t background_edge(int64_t cols);

// `data` [row, view, col] with the background subtracted.
at::Tensor without_background(const at::Tensor& data, Background background);
// Converts a derivative [view, col] with respect to a sinogram without background (per view) to that with respect to
// the original sinogram.
at::Tensor background_adjoint(const at::Tensor& derivative);

struct AxisSinograms {
  at::Tensor data;             // [row, view, col] float64, ascending angles
  std::vector<double> angles;  // ascending, the first is 0; views at nearly equal angles are averaged [rad]
  double step = 0;             // typical difference of the angles [rad]
  std::vector<std::string> notes;
  std::vector<bool> contrast;  // per row: whether its signal exceeds the noise

  [[nodiscard]] bool any_contrast() const;
  [[nodiscard]] int64_t rows() const { return data.size(0); }
  [[nodiscard]] int64_t views() const { return data.size(1); }
  [[nodiscard]] int64_t cols() const { return data.size(2); }
};

// Differentiable, except for interpolated pixels.
AxisSinograms prepare_sinograms(const at::Tensor& projections, const std::vector<double>& angles,
                                Background background);

// [row, view, col] with equidistant views over half a turn: one tensor from half a turn, two from a full one. Views
// between the angles of this raster are interpolated, with a note.
std::vector<at::Tensor> cut_half_turns(AxisSinograms& sinograms);

// Equidistant views over a full turn. Failure{invalid} if the views cover less.
at::Tensor cut_full_turn(AxisSinograms& sinograms);

// Search range [low, high] in px.
struct AxisRange {
  double low, high;
};
AxisRange axis_range(const AxisSearch& search, int64_t cols);

}  // namespace tl::ops
