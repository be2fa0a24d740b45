// A circular mask about the axis of a volume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/error.h"
#include "core/base/grid.h"

namespace tl::ops {

struct CircularMaskSpec {
  VolumeGrid whole;      // the circle lies about its centre, across its z direction
  double radius = 1;     // as a share of the circle inscribed in a slice
  double soft_edge = 0;  // [voxels along x] the weight falls from 1 to 0 as a cosine over so much, inside the radius
};

// Weights [z, y, x] of the voxels of `part`, which may be any grid: 1 inside, 0 where the voxel's centre is the radius
// or more away from the axis. Errors: invalid for a radius that is not positive and finite, a negative edge.
Result<at::Tensor> circular_weights(const VolumeGrid& part, const CircularMaskSpec& spec, at::ScalarType type);

// v w + outside (1 - w); where w = 0 the result is `outside` whatever v is. Differentiable.
at::Tensor masked(const at::Tensor& volume, const at::Tensor& weights, double outside);

}  // namespace tl::ops
