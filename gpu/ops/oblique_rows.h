// Lines of views along directions that are not those of the detector's rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/geometry.h"

namespace tl::ops {

// Where points of the object's frame lie on the detector, the same in all views (the mean, where it is not): for each
// of the heights [px above the detector's centre] a line across the rotation axis, one point per column. Indices (row,
// col) as [height, col] float64 each, differentiable with respect to the vectors [view, 12]. Parallel beam.
struct DetectorLines {
  at::Tensor row, col;
};
DetectorLines horizontal_lines(const at::Tensor& vectors, const DetectorShape& detector,
                               const std::vector<double>& heights);

// views [view, row, col] at those points: [view, height, col], cubic convolution in both directions (R. Keys, IEEE
// Trans. Acoustics, Speech and Signal Processing 29, 1981): exact at the pixels, with one continuous derivative. Beyond
// the detector its edge goes on. Differentiable with respect to both.
at::Tensor sampled(const at::Tensor& views, const DetectorLines& lines);

}  // namespace tl::ops
