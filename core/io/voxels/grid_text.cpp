// Writes and reads the position of a volume as twelve numbers.
#include "core/io/voxels/grid_text.h"

#include "core/base/text.h"
#include "core/io/voxels/raw_volume_writer.h"

namespace tl::io {

std::string grid_text(const VolumeGrid& grid) {
  return vector_text(grid.centre) + " " + vector_text(grid.step_x) + " " + vector_text(grid.step_y) + " " +
         vector_text(grid.step_z);
}

std::optional<VolumeGrid> grid_from_text(const std::string& text, int64_t nz, int64_t ny, int64_t nx) {
  const auto n = numbers_of(text, 12);
  if (!n) return std::nullopt;
  const auto vector = [&](std::size_t i) { return Vec3{(*n)[i], (*n)[i + 1], (*n)[i + 2]}; };
  const VolumeGrid grid{nz, ny, nx, vector(0), vector(3), vector(6), vector(9)};
  return grid.validate().ok() ? std::optional(grid) : std::nullopt;
}

}  // namespace tl::io
