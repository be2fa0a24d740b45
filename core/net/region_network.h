// A small network that names the region of the sphere from which an image was taken, whatever its rotation in the
// plane.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/net/optimiser.h"

namespace tl::net {

// Four convolutions on images in polar coordinates [n, ring, angle], where a rotation is a shift along the angles: they
// are continued periodically, and mean and maximum over them end the convolutions, so that a rotation changes the
// scores but little. The rings are halved twice and once more, the angles twice; an inner product gives the scores.
// Normal weights sqrt(2 / numbers that a filter reads), biases 0, by the seed.
NamedTensors new_region_network(int64_t rings, int64_t regions, uint64_t seed);

// [n, region]: a softmax makes probabilities of them. Differentiable. float32; angles are a multiple of 4.
at::Tensor region_scores(const NamedTensors& network, const at::Tensor& images);

}  // namespace tl::net
