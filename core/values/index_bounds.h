// IndexBounds: the index range of one grid's points among the voxels of another grid.
#pragma once

#include <array>

#include "core/base/grid_box.h"

namespace tl {

// The eight corner points of `of`, as fractional indices of `in`; along an axis with one voxel both corners
// coincide.
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
