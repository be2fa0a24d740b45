// Samples of all views along horizontal lines of the object, which are oblique on a tilted detector.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/geometry.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Detector positions of horizontal lines across the rotation axis: one line per height at which it meets the axis [px
// above the detector's centre], one point per column. The positions are common to all views (from the mean of the view
// vectors). Indices (row, col), each [height, col] float64, differentiable with respect to the vectors [view, 12].
// Parallel beam.
struct DetectorLines {
  at::Tensor row, col;
};
DetectorLines horizontal_lines(const at::Tensor& vectors, const DetectorShape& detector,
                               const std::vector<double>& heights);

// Values of views [view, row, col] at those points: [view, height, col] float64. Each sample is a smooth window with a
// standard deviation of one pixel along the rows (reach four pixels on either side) and 1.6 across them (reach six).
// The effect of the window does not depend on the position between the pixels: white noise keeps its variance to a part
// in ten thousand. Bilinear interpolation would pass more noise at a pixel than between two, so that noise alone could
// bias a score of the samples. Beyond the detector its edge values are continued. Float32 or float64 on the CPU.
// Differentiable with respect to views and lines, first derivatives only.
at::Tensor sample_lines(const at::Tensor& views, const DetectorLines& lines);

// Sampling as a linear operator on the views, [view, row, col] -> [part, view, height, col] float64. values: one part;
// with_slopes: three parts, the samples and their slopes along rows and columns [per px].
enum class LineParts { values, with_slopes };
OperatorPtr make_line_samples(const std::vector<int64_t>& views, at::ScalarType type, const DetectorLines& lines,
                              LineParts parts);

}  // namespace tl::ops
