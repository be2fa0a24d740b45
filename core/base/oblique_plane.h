// Planes that are turned out of the slices of a scan.
#pragma once

#include "core/base/grid.h"

namespace tl {

// One slice, more than a line of it, whose points lie at different heights along the rotation axis.
inline bool is_oblique_plane(const VolumeGrid& grid) {
  return grid.nz == 1 && grid.nx > 1 && grid.ny > 1 && (grid.step_x.z != 0 || grid.step_y.z != 0);
}

}  // namespace tl
