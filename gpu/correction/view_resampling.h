// Views sampled at other positions than their pixels: lens distortion corrected, pictures turned.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// What lies outside of the picture. edge: the nearest edge pixel. zero: nothing.
enum class PictureOutside { edge, zero };

// The linear map [n, rows, cols] -> [n, R, C]: every picture is sampled bilinearly at the fractional pixel (row, col)
// that `row` and `col`, float64 [R, C], give for each pixel of the result. The exact transpose adds to the same pixels
// with the same weights. Deterministic for any number of threads.
struct ResamplingSpec {
  std::vector<int64_t> shape;  // n, rows, cols of the pictures
  at::Tensor row, col;
  PictureOutside outside = PictureOutside::edge;
  CancelToken cancel;  // looked at between pictures
};
OperatorPtr make_resampling(const ResamplingSpec& spec);

// Radial distortion after N. T. Vo, R. C. Atwood, M. Drakopoulos, Opt. Express 23, 32859 (2015), backward model: the
// corrected pixel at distance r [px] from the centre shows the recorded pixel at the same direction and distance
// r (k0 + k1 r + k2 r^2 + ...).
struct DistortionSpec {
  double centre_col = 0, centre_row = 0;  // [px], index frame: pixel centres 0 ... cols - 1
  std::vector<double> factors = {1};      // k0, k1, ... ; {1} changes nothing
  CancelToken cancel;
};
// [n, row, col], float32 or float64, on the processor or a card, differentiable. Outside of the recorded picture: its
// edge. Errors: invalid for shapes, no or more than 10 factors, numbers that are not finite.
Result<at::Tensor> correct_distortion(const at::Tensor& pictures, const DistortionSpec& spec);

struct RotationSpec {
  double angle = 0;                 // [rad], counterclockwise with row 0 at the top
  double pitch_u = 1, pitch_v = 1;  // sizes of a pixel along columns and rows, in the same unit
  CancelToken cancel;
};
// Every picture turned about its centre. [n, row, col], float32 or float64, on the processor or a card, differentiable.
// Outside of the recorded picture: its edge. Errors: invalid for shapes and numbers that are not finite.
Result<at::Tensor> rotate_views(const at::Tensor& pictures, const RotationSpec& spec);

}  // namespace tl::ops
