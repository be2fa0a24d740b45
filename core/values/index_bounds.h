// IndexBounds: where the points of one grid lie among the voxels of another one.
#pragma once

#include <array>

#include "core/base/grid_box.h"

namespace tl {

// The eight outermost points of `of`, as fractional indices of `in`; an axis with one voxel has both of its points at
// the same position.
std::array<GridPoint, 8> corners_in(const VolumeGrid& in, const VolumeGrid& of);

// The least and the greatest fractional index of all points of a grid, along each axis of `in`.
struct IndexBounds {
  GridPoint low, high;
};
IndexBounds bounds_in(const VolumeGrid& in, const VolumeGrid& of);

// Whole slices of `whole`, from the lowest to the highest that the points of `wanted`, a plane of any direction
// included, lie between; at least one.
Range slices_around(const VolumeGrid& whole, const VolumeGrid& wanted);

}  // namespace tl
