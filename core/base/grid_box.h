// GridBox: whether one grid of voxels is part of another one, and where; oblique planes through the box of a grid.
#pragma once

#include <optional>

#include "core/base/grid.h"

namespace tl {

struct GridBox {
  Range z, y, x;  // indices of the larger grid
};

// The box of `whole` whose voxel centres are those of `part`, to a thousandth of a voxel, since files store rounded
// numbers. Nothing if `part` is rotated, lies between the voxels, has other voxel sizes or reaches beyond `whole`.
std::optional<GridBox> box_in(const VolumeGrid& whole, const VolumeGrid& part);

// Fractional index of a point along z, y, x in the grid.
struct GridPoint {
  double k, j, i;
};
GridPoint fractional_index(const VolumeGrid& grid, Vec3 point);

// The plane spanned by two orthogonal unit vectors through a point, as a grid that covers the whole box: its centre is
// the box's centre, moved along the normal; its pixels are as small as the smallest voxel edge.
VolumeGrid oblique_plane(const VolumeGrid& box, Vec3 through, Vec3 right, Vec3 up);

}  // namespace tl
