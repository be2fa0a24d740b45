// Makes oblique planes through the box of a grid.
#include "core/base/oblique_plane.h"

#include <algorithm>
#include <cmath>

namespace tl {

VolumeGrid oblique_plane(const VolumeGrid& box, Vec3 through, Vec3 right, Vec3 up) {
  const double pixel = std::min({norm(box.step_x), norm(box.step_y), norm(box.step_z)});
  const Vec3 normal = cross(right, up);
  // Half the box's extent along a direction: its corners lie at +- half of each edge.
  const auto reach = [&box](Vec3 direction) {
    return 0.5 * (static_cast<double>(box.nx) * std::abs(dot(box.step_x, direction)) +
                  static_cast<double>(box.ny) * std::abs(dot(box.step_y, direction)) +
                  static_cast<double>(box.nz) * std::abs(dot(box.step_z, direction)));
  };
  const auto pixels = [pixel](double half) {
    return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(2 * half / pixel - 1e-6)));
  };
  const Vec3 centre = box.centre + dot(through - box.centre, normal) * normal;
  return VolumeGrid::plane(pixels(reach(up)), pixels(reach(right)), pixel, centre, right, up);
}

}  // namespace tl
