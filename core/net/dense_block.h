// Dense blocks: convolutions that read the maps of those before them, computed by one loop (gpu/image/padded_maps.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/net/forward.h"

namespace tl::net {

// Computes the longest run of pairs (3 x 3 convolution with mirrored border, rectifier of it alone) that begins at
// layer `first`, and puts the rectified maps into `maps`, differentiable once. Gives the first layer behind it; `first`
// if there is none, or for what the loop does not have: three axes, several images, other devices or types.
// `readers`: how many layers read each one.
std::size_t compute_dense_block(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                                std::vector<at::Tensor>& maps, const ForwardOptions& options);

}  // namespace tl::net
