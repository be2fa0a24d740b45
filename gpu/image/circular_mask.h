// Circular mask about the axis of a volume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/error.h"
#include "core/base/grid.h"

namespace tl::ops {

struct CircularMaskSpec {
  VolumeGrid whole;      // the circle is about its centre, perpendicular to its z direction
  double radius = 1;     // relative to the circle inscribed in a slice
  double soft_edge = 0;  // [voxels along x] width inside the radius over which the weight falls from 1 to 0 as a cosine
};

// Weights [z, y, x] for the voxels of `part`, which may be any grid: 1 inside, 0 if the distance of the voxel's centre
// from the axis is at least the radius. Errors: invalid for a radius that is not positive and finite, a negative edge.
Result<at::Tensor> circular_weights(const VolumeGrid& part, const CircularMaskSpec& spec, at::ScalarType type);

// v w + outside (1 - w); if w = 0 the result is `outside` for any v, including NaN. Differentiable.
at::Tensor masked(const at::Tensor& volume, const at::Tensor& weights, double outside);

}  // namespace tl::ops
