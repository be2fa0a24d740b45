// Lines of views along directions that are not those of the detector's rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/geometry.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Where points of the object's frame lie on the detector, the same in all views (the mean, where it is not): for each
// of the heights at which it meets the rotation axis [px above the detector's centre] a line across that axis, one
// point per column. Indices (row, col) as [height, col] float64 each, differentiable with respect to the vectors [view,
// 12]. Parallel beam.
struct DetectorLines {
  at::Tensor row, col;
};
DetectorLines horizontal_lines(const at::Tensor& vectors, const DetectorShape& detector,
                               const std::vector<double>& heights);

// views [view, row, col] at those points: [view, height, col] float64, seen through a smooth window of a standard
// deviation of one pixel along the rows (four to every side) and 1.6 across them (six). Its size does not depend on
// where between the pixels a point lies: white noise keeps its variance to a part in ten thousand, where an
// interpolation would pass more of it on a pixel than between two, so that noise alone would tell a score of the
// samples where the points ought to lie. Beyond the detector its edge goes on. Float32 or float64 on the CPU.
// Differentiable with respect to both, first derivatives.
at::Tensor sampled(const at::Tensor& views, const DetectorLines& lines);

// The same as a linear operator of the views, [view, row, col] -> [part, view, height, col] float64. values: one part;
// with_slopes: three, the samples and their slopes along rows and columns [per px].
enum class LineParts { values, with_slopes };
OperatorPtr make_line_samples(const std::vector<int64_t>& views, at::ScalarType type, const DetectorLines& lines,
                              LineParts parts);

}  // namespace tl::ops
