// Stripe removal by fitting (Vo): a polynomial fitted to each column along the views is replaced by a smoothed one.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

struct StripeFittingSpec {
  int64_t order = 3;  // degree of the polynomial along the views, 0 to 20, less than the number of views
  double sigma = 10;  // [px] Gaussian over neighbouring columns; larger removes wider stripes
  StripeModel model = StripeModel::offset;
  CancelToken cancel;  // checked between rows
};

// Algorithm 1 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of [view, row, col]:
// a polynomial is fitted to each column (least squares over all views), the fits are smoothed over neighbouring columns
// (mirrored at the edges), and the sinogram is multiplied by smoothed over original fit (gain; offset where a fit comes
// near zero) or shifted by their difference (offset). For stripes that change slowly with the view in low-contrast
// samples; the profile of a strongly absorbing sample is smoothed as well. float32 or float64, differentiable. A
// constant sinogram is returned bit-identical. Errors: invalid for shapes, an order too high for the number of views, a
// sigma that is not positive.
Result<at::Tensor> remove_stripes_by_fitting(const at::Tensor& projections, const StripeFittingSpec& spec);

// Least-squares polynomial of each column of [view, col]: an orthogonal projection, hence self-adjoint.
at::Tensor fit_columns(const at::Tensor& sinogram, int64_t order);

}  // namespace tl::ops
