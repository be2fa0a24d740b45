// Makes the projective maps of all views from the voxel indices of a grid to the detector.
#include "gpu/projection/view_map.h"

#include <algorithm>

namespace tl::ops {

std::vector<ViewMap> view_maps(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::vector<double> vectors = geometry.vectors();
  const Vec3 first = grid.position(0, 0, 0);
  std::vector<ViewMap> maps(static_cast<std::size_t>(geometry.views()));
  for (std::size_t i = 0; i < maps.size(); ++i) {
    std::array<double, 12> view{};
    std::copy_n(vectors.begin() + static_cast<std::ptrdiff_t>(12 * i), 12, view.begin());
    const auto c = map_coefficients(view, geometry.beam(), geometry.detector().rows, geometry.detector().cols);
    const auto fill = [&](const double* from, double* to) {
      const Vec3 slope{from[1], from[2], from[3]};
      to[0] = from[0] + dot(slope, first);
      to[1] = dot(slope, grid.step_x);
      to[2] = dot(slope, grid.step_y);
      to[3] = dot(slope, grid.step_z);
    };
    fill(c.data(), maps[i].u);
    fill(c.data() + 4, maps[i].v);
    fill(c.data() + 8, maps[i].w);
    maps[i].axis_depth = c[8];
  }
  return maps;
}

}  // namespace tl::ops
