// Exact Euclidean distances from the voxels of a mask to the background.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct DistanceSpec {
  VoxelSize voxel;  // may have another unit than voxels, and different edges
  CancelToken cancel;
};

// For every voxel of the mask (bool) the distance of its centre from that of the nearest voxel outside, float32 in the
// unit of the voxel size; 0 outside the mask; infinity if the mask is everywhere. The border of the lattice does not
// count as background. Exact, in linear time: P. Felzenszwalb and D. Huttenlocher, Theory Comput. 8, 415 (2012).
// Errors: invalid for shapes, types, voxel sizes.
Result<at::Tensor> distance_to_background(const at::Tensor& mask, const DistanceSpec& spec);

enum class DistanceTo { mask, background };

// Squared distances of all voxels from the nearest voxel of the mask, or of the background; float32 in voxels if the
// voxels are cubic and the lattice small enough that all squares are exact integers in it; else float64, in the unit of
// the voxel size.
struct SquaredDistances {
  at::Tensor values;
  double unit = 1;  // edge of a voxel if the values are in voxels
};
Result<SquaredDistances> squared_distances(const at::Tensor& mask, DistanceTo to, const DistanceSpec& spec,
                                           const std::string& where);
// Whether they are float32.
bool squares_fit_float32(const Lattice& lattice, const VoxelSize& voxel);

}  // namespace tl::ops
