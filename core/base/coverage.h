// Coverage: which part of a scan a grid of voxels is seen on, and the grid that a scan covers.
#pragma once

#include "core/base/geometry.h"
#include "core/base/grid.h"

namespace tl {

// All views and columns, and the detector rows onto which the grid's box projects in any view, one row of halo for
// interpolation included. A grid that is not seen at all gives one row, so that results are zeros and not errors.
ScanRegion region_seen(const ScanGeometry& geometry, const VolumeGrid& grid);

// The grid that scientists expect of a scan: cols x cols x rows voxels of one pixel, demagnified, centred on the axis
// and on the height that the detector's centre sees. Voxels are as tall as the demagnified rows.
VolumeGrid natural_grid(const ScanGeometry& geometry);

}  // namespace tl
