// Test for oblique planes: planes that are not parallel to the slices of a scan.
#pragma once

#include "core/base/grid.h"

namespace tl {

// True for a single slice, of more than a line, whose points have different heights along the rotation axis.
inline bool is_oblique_plane(const VolumeGrid& grid) {
  return grid.nz == 1 && grid.nx > 1 && grid.ny > 1 && (grid.step_x.z != 0 || grid.step_y.z != 0);
}

}  // namespace tl
