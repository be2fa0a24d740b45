// Finds a grid of voxels as a box of another one, and planes through it.
#include "core/base/grid_box.h"

#include <algorithm>
#include <cmath>

namespace tl {
namespace {

constexpr double tolerance = 1e-3;  // [voxels] largest distance between voxel centres that count as the same point

// Differences of steps add up along an axis: also the last voxel must lie within the tolerance.
bool equal_steps(Vec3 a, Vec3 b, int64_t count) {
  return norm(a - b) * static_cast<double>(count) <= tolerance * norm(a);
}

// The `count` voxels from the integer nearest to `first`. Nothing if that is further away than the tolerance, or the
// range is not within [0, limit).
std::optional<Range> whole_range(double first, int64_t count, int64_t limit) {
  const double begin = std::round(first);
  if (std::abs(first - begin) > tolerance || begin < 0 ||
      begin + static_cast<double>(count) > static_cast<double>(limit))
    return std::nullopt;
  const auto start = static_cast<int64_t>(begin);
  return Range{start, start + count};
}

}  // namespace

GridPoint fractional_index(const VolumeGrid& g, Vec3 point) {
  const Vec3 from = point - g.centre;
  const auto along = [&](Vec3 step, int64_t n) {
    return dot(from, step) / dot(step, step) + 0.5 * static_cast<double>(n - 1);
  };
  return {along(g.step_z, g.nz), along(g.step_y, g.ny), along(g.step_x, g.nx)};
}

std::optional<GridBox> box_in(const VolumeGrid& whole, const VolumeGrid& part) {
  // The step along an axis with a single voxel also matters: it is the thickness of the voxel.
  if (!equal_steps(whole.step_x, part.step_x, part.nx) || !equal_steps(whole.step_y, part.step_y, part.ny) ||
      !equal_steps(whole.step_z, part.step_z, part.nz))
    return std::nullopt;
  const GridPoint first = fractional_index(whole, part.position(0, 0, 0));
  const auto z = whole_range(first.k, part.nz, whole.nz), y = whole_range(first.j, part.ny, whole.ny),
             x = whole_range(first.i, part.nx, whole.nx);
  if (!z || !y || !x) return std::nullopt;
  return GridBox{*z, *y, *x};
}

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
