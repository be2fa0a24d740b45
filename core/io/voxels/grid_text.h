// The position of a volume as text, for formats without fields for it: our own notation of the exact grid.
#pragma once

#include <optional>
#include <string>

#include "core/base/grid.h"

namespace tl::io {

// Twelve numbers in mm: the centre, and the steps along x, y, z.
std::string grid_text(const VolumeGrid& grid);
// The grid with so many voxels; nothing if the text does not have this form.
std::optional<VolumeGrid> grid_from_text(const std::string& text, int64_t nz, int64_t ny, int64_t nx);

}  // namespace tl::io
