// Finds the voxels that shapes in space cover.
#include "core/strokes/volume_shapes.h"

#include "core/strokes/index_box.h"

namespace tl::strokes {

void add_ball(VoxelSet& set, const VolumeGrid& grid, Vec3 from, Vec3 to, double radius) {
  const Vec3 ends[] = {from, to};
  const IndexBox box = box_around(grid, ends, radius);
  const Vec3 path = to - from;
  const double length = dot(path, path);
  for (int64_t k = box.low.k; k <= box.high.k; ++k)
    for (int64_t j = box.low.j; j <= box.high.j; ++j)
      for (int64_t i = box.low.i; i <= box.high.i; ++i) {
        const Vec3 centre = grid.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
        const double along = length == 0 ? 0 : std::clamp(dot(centre - from, path) / length, 0.0, 1.0);
        if (norm(centre - from - along * path) <= radius) set.add({k, j, i});
      }
  add_line(set, grid, from, to);
}

}  // namespace tl::strokes
