// Verifies the surface of a ball, smoothed and not.
#include "core/mesh/verify_surfaces.h"

#include <cmath>
#include <numbers>

#include "core/mesh/surface.h"

namespace tl::mesh {

CheckTable verify_surfaces() {
  constexpr int64_t n = 47;
  constexpr double radius = 20;  // voxels of 0.1 mm
  std::vector<int32_t> labels;
  for (int64_t z = 0; z < n; ++z)
    for (int64_t y = 0; y < n; ++y)
      for (int64_t x = 0; x < n; ++x)
        labels.push_back(std::hypot(static_cast<double>(z - n / 2), static_cast<double>(y - n / 2),
                                    static_cast<double>(x - n / 2)) <= radius
                             ? 1
                             : 0);
  CheckTable table;
  for (const int64_t smoothing : {int64_t{0}, int64_t{20}}) {
    SurfaceSettings settings;
    settings.smoothing = smoothing;
    const Mesh mesh = surface_of(labels, VolumeGrid::cubic(n, n, n, 0.1), settings).or_throw();
    const bool closed = mesh.size() == 1 && is_closed(mesh.front());
    const double volume = closed ? enclosed_volume(mesh.front()) : 0;
    const double error = std::abs(volume / (4.0 / 3 * std::numbers::pi * 8) - 1);
    table.push_back(
        {"segmentation surface", "closed; volume of a ball, relative error",
         smoothing == 0 ? "radius 20 voxels of 0.1 mm, as contoured" : "radius 20 voxels of 0.1 mm, smoothed",
         "float32", error, 0.01, error <= 0.01});
  }
  return table;
}

}  // namespace tl::mesh
