// Shapes that a stroke covers in space: a ball along a path.
#pragma once

#include "core/strokes/bricks.h"

namespace tl::strokes {

// Adds the voxels of `grid` whose centre is within `radius` [mm] of the straight line, and always those on the line
// itself.
void add_ball(VoxelSet& set, const VolumeGrid& grid, Vec3 from, Vec3 to, double radius);

}  // namespace tl::strokes
