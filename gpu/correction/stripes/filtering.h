// Stripe removal by filtering and sorting (Vo): sorting is applied to the slowly varying part of each column only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct StripeFilteringSpec {
  double sigma = 3;    // [cycles per scan] Gaussian low-pass along the views; a larger one affects more of the object
  int64_t size = 5;    // columns of the median window, odd
  CancelToken cancel;  // checked between rows
};

// Algorithm 2 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of [view, row, col]:
// the columns are low-pass filtered along the views (mirrored at both ends), remove_stripes_by_sorting() cleans that
// slow part, and the difference is added to the sinogram. Fast changes along the views, such as small details of the
// object, are not affected. float32 or float64, differentiable. A constant sinogram is returned bit-identical. NaN
// spreads along its column. Errors: as remove_stripes_by_sorting(), invalid for a sigma that is not positive.
Result<at::Tensor> remove_stripes_by_filtering(const at::Tensor& projections, const StripeFilteringSpec& spec);

// The low-pass filter alone: exp(-f^2 / (2 sigma^2)), f in cycles per scan, of [view, ...] mirrored at both ends.
// Linear and self-adjoint.
at::Tensor low_pass_views(const at::Tensor& sinogram, double sigma);

}  // namespace tl::ops
