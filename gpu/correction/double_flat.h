// Double flat-field: what all views have in common is a property of the detector.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

struct DoubleFlatSpec {
  // [px] structures of the mean view finer than this Gaussian belong to the detector, coarser ones to the object.
  double sigma = 10;
  StripeModel model = StripeModel::offset;  // offset for absorption, gain for transmission
};

// The mean M over all views of each pixel is compared with itself smoothed by a Gaussian (cut off at 4 sigma, mirrored
// at the edges): the views lose M - G M (offset), or are divided by M / G M (gain; where one of them is not positive
// they stay). Needs all views. [view, row, col], float32 or float64, differentiable. Errors: invalid for shapes and a
// sigma outside 0.3 to 1000.
Result<at::Tensor> double_flat(const at::Tensor& projections, const DoubleFlatSpec& spec);

// Pixels around a pixel that its correction depends on.
int64_t double_flat_reach(double sigma);

// Separable Gaussian over an image [row, col], cut off at 4 sigma, mirrored at the edges.
at::Tensor gaussian_blurred(const at::Tensor& image, double sigma);

}  // namespace tl::ops
