// Oblique planes: planes that are not parallel to the slices of a scan.
#pragma once

#include "core/base/grid.h"

namespace tl {

// True for a single slice, of more than a line, whose points have different heights along the rotation axis.
inline bool is_oblique_plane(const VolumeGrid& grid) {
  return grid.nz == 1 && grid.nx > 1 && grid.ny > 1 && (grid.step_x.z != 0 || grid.step_y.z != 0);
}

// The plane spanned by two orthogonal unit vectors, through a point, over all of the box of a grid: through the box's
// centre moved along the normal, as large as the box reaches, in pixels as small as its smallest voxels are.
VolumeGrid oblique_plane(const VolumeGrid& box, Vec3 through, Vec3 right, Vec3 up);

}  // namespace tl
