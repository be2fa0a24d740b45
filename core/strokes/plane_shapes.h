// Shapes that a stroke covers on a plane: a disc along a path, a polygon, a connected region of one label.
#pragma once

#include <span>

#include "core/strokes/bricks.h"

namespace tl::strokes {

// Points of it are origin + u right + v up [mm]; right, up and normal are orthogonal, of unit length.
struct PaintPlane {
  Vec3 origin, right, up, normal;
};

// All functions add the voxels of `grid` that the plane intersects (an axis-parallel plane between two slices: one of
// them) and that the shape covers.

// Voxels whose centre is within `radius` [mm] of the straight path, measured along the plane, and always the voxels
// along the path itself. Consecutive paths leave no gap.
void add_disc(VoxelSet& set, const VolumeGrid& grid, const PaintPlane& plane, Vec3 from, Vec3 to, double radius);

// Voxels whose centre is inside the closed polygon, viewed along the plane's normal (even-odd rule).
void add_polygon(VoxelSet& set, const VolumeGrid& grid, const PaintPlane& plane, std::span<const Vec3> corners);

// The points of `slice` (one voxel thick, of any direction) with the same label as the one nearest to `seed` that are
// connected to it by their four neighbours; for each, the voxel of `grid` nearest to it. `labels` are on `grid`.
// Nothing if the seed is outside.
void add_region(VoxelSet& set, const Bricks& labels, const VolumeGrid& grid, const VolumeGrid& slice, Vec3 seed);

}  // namespace tl::strokes
