// Norms of edges: by how much a filter between two channels can enlarge a map.
#pragma once

#include "core/base/cancel.h"
#include "core/net/prune/edges.h"

namespace tl::net {

// Operator norms of the convolutions with kernels [n, (kz,) ky, kx], in double: the largest amplitude of each kernel's
// spectrum. A stride takes the root of the sum of squares over the polyphase kernels. Without stride the dilation does
// not matter. The spectrum is sampled, and its highest peaks are refined by Newton's method: within 1e-5.
// Throws Failure{cancelled} after `cancel`.
at::Tensor operator_norms(const at::Tensor& kernels, int64_t dilation = 1, int64_t stride = 1,
                          const CancelToken& cancel = {});

// The factor by which a layer without filters can enlarge each of its channels: batch norm scale / sqrt(variance +
// epsilon); average pooling and copying of pixels their operator norm; others 1.
at::Tensor channel_factors(const Network& network, const Layer& layer, int64_t channels);

// The operator norm of every edge. Includes a batch norm that is the only reader of its layer. Cancelled as
// operator_norms().
EdgeMatrices operator_norms_of(const Network& network, const CancelToken& cancel = {});
// The sum of absolute values of each filter.
EdgeMatrices l1_norms_of(const Network& network);

// The batch norm that is combined with a layer's filters: the layer's only reader. 0: none.
std::size_t batch_norm_fed_only_by(const Network& network, std::size_t layer);

}  // namespace tl::net
