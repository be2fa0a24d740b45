// Double flat-field correction: fine structures common to all views are attributed to the detector and removed.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

struct DoubleFlatSpec {
  // [px] standard deviation of the Gaussian: finer structures of the mean view belong to the detector, coarser ones to
  // the object.
  double sigma = 10;
  StripeModel model = StripeModel::offset;  // offset for absorption, gain for transmission
};

// The mean M of each pixel over all views is compared with G M, M smoothed by a Gaussian (cut off at 4 sigma, mirrored
// at the edges): views become view - (M - G M) (offset) or view / (M / G M) (gain; unchanged where M or G M is not
// positive). Needs all views. [view, row, col], float32 or float64, differentiable. Errors: invalid for shapes and a
// sigma outside 0.3 to 1000.
Result<at::Tensor> double_flat(const at::Tensor& projections, const DoubleFlatSpec& spec);

// Radius [px] of the neighbourhood on which the correction of a pixel depends.
int64_t double_flat_reach(double sigma);

// Separable Gaussian over an image [row, col], cut off at 4 sigma, mirrored at the edges.
at::Tensor gaussian_blurred(const at::Tensor& image, double sigma);

}  // namespace tl::ops
