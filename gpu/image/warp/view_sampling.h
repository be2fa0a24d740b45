// Cubic sampling of images at any points, different for each image: the operator that corrects frames.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// The linear map [view, row, col] -> [view, R, C] that samples each image at fractional indices: `positions`, float64
// [view, 2, R, C], hold row and column. Cubic convolution (R. Keys, IEEE Trans. Acoust. 29, 1153, 1981, a = -1/2):
// exact at pixels and for polynomials of degree 2. Values stay constant from the centres of the outermost pixels to
// their edges, and are 0 beyond. CPU. The adjoint has the same weights. Deterministic for any number of threads.
struct ViewSamplingSpec {
  std::vector<int64_t> shape;  // shape of the images: view, row, col
  at::Tensor positions;
  CancelToken cancel;  // checked between views
};
OperatorPtr make_view_sampling(const ViewSamplingSpec& spec);

// Samples `views`, float32 or float64; differentiable with respect to the views and to the positions.
at::Tensor sampled_views(const at::Tensor& views, const at::Tensor& positions, const CancelToken& cancel = {});

}  // namespace tl::ops
