// Grid and detector: the part of a scan onto which a grid of voxels projects, and the grid that a scan covers.
#pragma once

#include <optional>

#include "core/base/geometry.h"
#include "core/base/grid.h"

namespace tl {

// All views and columns, and the detector rows onto which the grid's box projects in any view, with one row of halo for
// interpolation. If the grid projects outside of the detector, one row, so that results are zeros and not errors.
ScanRegion projected_region(const ScanGeometry& geometry, const VolumeGrid& grid);
// The range of detector rows, fractional and possibly beyond the detector, onto which the centres of the grid's voxels
// project in any view. Nothing if a corner of the grid lies at or behind the source.
struct RowSpan {
  double lowest = 0, highest = 0;
};
std::optional<RowSpan> projected_rows(const ScanGeometry& geometry, const VolumeGrid& grid);

// The default reconstruction grid: rows x cols x cols voxels [z, y, x] of one demagnified pixel, centred on the axis
// and on the height of the detector's centre. Voxels are as tall as the demagnified rows.
VolumeGrid default_grid(const ScanGeometry& geometry);

}  // namespace tl
