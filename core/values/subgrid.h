// Is a grid a box of another one's voxels, and which?
#pragma once

#include <optional>

#include "core/base/grid.h"

namespace tl {

struct Subgrid {
  Range z, y, x;  // in voxels of the whole grid
};

// The voxels of `whole` that `part` consists of; nothing when it is turned, of another voxel size, between the voxels
// or reaches outside.
std::optional<Subgrid> find_subgrid(const VolumeGrid& whole, const VolumeGrid& part);

}  // namespace tl
