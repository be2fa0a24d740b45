// GridBox: whether one grid of voxels is part of another one, and where.
#pragma once

#include <optional>

#include "core/base/grid.h"

namespace tl {

struct GridBox {
  Range z, y, x;  // indices of the larger grid
};

// The box of `whole` whose voxels are those of `part`, all within a thousandth of a voxel: files state grids in rounded
// numbers. Nothing if `part` is rotated, lies between the voxels, has other voxel sizes or reaches beyond `whole`.
std::optional<GridBox> box_in(const VolumeGrid& whole, const VolumeGrid& part);

// Fractional index of a point along z, y, x in the grid.
struct GridPoint {
  double k, j, i;
};
GridPoint fractional_index(const VolumeGrid& grid, Vec3 point);

}  // namespace tl
