// Stripe removal by filtering and sorting (Vo): only the slow part of each column along the views is smoothed.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct StripeFilteringSpec {
  double sigma = 3;    // [cycles per scan] width of the Gaussian low-pass along the views; larger takes more with it
  int64_t size = 5;    // columns of the median window, odd
  CancelToken cancel;  // looked at between rows
};

// Algorithm 2 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of [view, row, col]:
// the columns are low-passed along the views (mirrored at both ends), stripe_sorting() cleans that slow part, and the
// difference is added to the sinogram. What changes quickly with the view, small details of the object, is not
// touched. float32 or float64, differentiable. A constant sinogram comes back bit-identical. NaN
// spread along their column. Errors: as stripe_sorting(), invalid for a sigma that is not positive.
Result<at::Tensor> stripe_filtering(const at::Tensor& projections, const StripeFilteringSpec& spec);

// The low-pass alone: exp(-f^2 / (2 sigma^2)), f in cycles per scan, of [view, ...] mirrored at both ends. Linear and
// its own transpose.
at::Tensor low_pass_views(const at::Tensor& sinogram, double sigma);

}  // namespace tl::ops
