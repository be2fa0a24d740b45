// Positions of voxels as tensors, and their indices in another grid.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/grid.h"

namespace tl {

// float64 [3, z, y, x]: x, y and z of each voxel's centre [mm].
at::Tensor grid_positions(const VolumeGrid& grid);

// Fractional indices z, y, x in the grid, float64 [3, ...], of positions x, y, z [mm] of the same shape. Gradients
// pass.
at::Tensor fractional_indices(const VolumeGrid& grid, const at::Tensor& positions);

}  // namespace tl
