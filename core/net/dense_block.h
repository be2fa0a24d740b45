// Dense blocks: convolutions that read the maps of all earlier ones, computed by one loop (gpu/image/padded_maps.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/net/forward.h"

namespace tl::net {

// Computes the longest run of pairs (3 x 3 convolution with mirrored border, followed by its own rectifier) that begins
// at layer `first`, and writes the rectified maps into `maps`, differentiable once. Returns the first layer after it;
// `first` if there is no such run, or for cases that the loop does not support: three axes, several images, other
// devices or types. `readers`: number of layers that read each layer.
std::size_t compute_dense_block(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                                std::vector<at::Tensor>& maps, const ForwardOptions& options);

}  // namespace tl::net
