// Resampling of views at other positions: correction of lens distortion, rotation of views.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Values outside the image. edge: the nearest edge pixel. zero: 0.
enum class OutsideValue { edge, zero };

// The linear map [n, rows, cols] -> [n, R, C] that samples every image bilinearly at fractional pixels: `row` and
// `col`, float64 [R, C], give the position for each pixel of the result. The adjoint uses the same pixels and weights.
// Deterministic for any number of threads.
struct ResamplingSpec {
  std::vector<int64_t> shape;  // n, rows, cols of the images
  at::Tensor row, col;
  OutsideValue outside = OutsideValue::edge;
  CancelToken cancel;  // checked between images
};
OperatorPtr make_resampling(const ResamplingSpec& spec);

// Radial distortion after N. T. Vo, R. C. Atwood, M. Drakopoulos, Opt. Express 23, 32859 (2015), backward model: the
// corrected pixel at distance r [px] from the centre takes the value of the recorded image in the same direction at
// distance r (k0 + k1 r + k2 r^2 + ...).
struct DistortionSpec {
  double centre_col = 0, centre_row = 0;  // [px], index frame: pixel centres 0 ... cols - 1
  std::vector<double> factors = {1};      // k0, k1, ...; {1} is the identity
  CancelToken cancel;
};
// [n, row, col], float32 or float64, on CPU or GPU, differentiable. Outside the recorded image its edge values
// continue. Errors: invalid for shapes, no or more than 10 factors, numbers that are not finite.
Result<at::Tensor> correct_distortion(const at::Tensor& images, const DistortionSpec& spec);

struct RotationSpec {
  double angle = 0;                 // [rad], counterclockwise with row 0 at the top
  double pitch_u = 1, pitch_v = 1;  // pixel sizes along columns and rows, in the same unit
  CancelToken cancel;
};
// Rotates every image about its centre. [n, row, col], float32 or float64, on CPU or GPU, differentiable. Outside the
// recorded image, its edge values are continued. Errors: invalid for shapes and numbers that are not finite.
Result<at::Tensor> rotate_views(const at::Tensor& images, const RotationSpec& spec);

}  // namespace tl::ops
