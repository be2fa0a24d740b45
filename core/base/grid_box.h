// Whether one grid of voxels is a part of another one, and where.
#pragma once

#include <optional>

#include "core/base/grid.h"

namespace tl {

struct GridBox {
  Range z, y, x;  // indices of the larger grid
};

// The box of `whole` whose voxels are those of `part`, to a millionth of a voxel; nothing for any other grid: turned,
// between the voxels, with other voxels, or reaching beyond `whole`.
std::optional<GridBox> box_in(const VolumeGrid& whole, const VolumeGrid& part);

// Fractional index of a point along z, y, x in the grid.
struct GridPoint {
  double k, j, i;
};
GridPoint index_in(const VolumeGrid& grid, Vec3 point);

}  // namespace tl
