// Subgrid: whether a grid is a box of voxels of another grid, and which.
#pragma once

#include <optional>

#include "core/base/grid.h"

namespace tl {

struct Subgrid {
  Range z, y, x;  // in voxels of the whole grid
};

// The voxels of `whole` of which `part` consists; nothing if `part` is rotated, has another voxel size, lies between
// the voxels or reaches outside.
std::optional<Subgrid> find_subgrid(const VolumeGrid& whole, const VolumeGrid& part);

}  // namespace tl
