// Preparation shared by the axis finders: repaired, sorted, background-free sinograms, and half turns cut from them.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// How the level outside the object is removed: a straight line between the means of the outermost columns (2 % of the
// width on each side), one line per view, or one per row from all views together (less noise, no flicker removed); or
// not at all.
enum class Background { per_view, per_row, keep };
// Columns on each side whose mean is taken as level.
int64_t background_edge(int64_t cols);

// [row, view, col] without it.
at::Tensor without_background(const at::Tensor& data, Background background);
// What a derivative [view, col] to a sinogram without its background (per view) is to the one that had it.
at::Tensor background_adjoint(const at::Tensor& derivative);

struct AxisSinograms {
  at::Tensor data;             // [row, view, col] float64, ascending angles
  std::vector<double> angles;  // ascending, the first is 0 [rad]
  double step = 0;             // median difference of the angles [rad]
  std::vector<std::string> notes;
  std::vector<bool> contrast;  // per row: is anything there but noise?

  [[nodiscard]] bool any_contrast() const;
  [[nodiscard]] int64_t rows() const { return data.size(0); }
  [[nodiscard]] int64_t views() const { return data.size(1); }
  [[nodiscard]] int64_t cols() const { return data.size(2); }
};

// Gradients pass through, but for pixels that are bridged.
AxisSinograms prepare_sinograms(const at::Tensor& projections, const std::vector<double>& angles,
                                Background background);

// [row, view, col] with equidistant views over half a turn: one from a half turn, two from a full one. Views off that
// raster are interpolated between their neighbours (and a note says so).
std::vector<at::Tensor> half_turns(AxisSinograms& sinograms);

// The same over a full turn. Failure{invalid} when the views cover less.
at::Tensor full_turn(AxisSinograms& sinograms);

// Search range [low, high] in px.
struct AxisRange {
  double low, high;
};
AxisRange axis_range(const AxisSearch& search, int64_t cols);

}  // namespace tl::ops
