// Finds a grid as a box of voxels of another one, with a tolerance of a thousandth of a voxel.
#include "core/values/subgrid.h"

#include <cmath>

namespace tl {
namespace {

constexpr double same = 1e-3;  // tolerance in voxels: positions are sums of a few rounded numbers

bool equal_steps(const Vec3& a, const Vec3& b, int64_t count) {
  return norm(a - b) * static_cast<double>(count) <= same * norm(a);
}

std::optional<Range> range_along(const Vec3& offset, const Vec3& step, int64_t count, int64_t all) {
  const double first = dot(offset, step) / dot(step, step);
  const auto begin = std::llround(first);
  if (std::abs(first - static_cast<double>(begin)) > same || begin < 0 || begin + count > all) return std::nullopt;
  return Range{begin, begin + count};
}

}  // namespace

std::optional<Subgrid> find_subgrid(const VolumeGrid& whole, const VolumeGrid& part) {
  if (!equal_steps(whole.step_x, part.step_x, part.nx) || !equal_steps(whole.step_y, part.step_y, part.ny) ||
      !equal_steps(whole.step_z, part.step_z, part.nz))
    return std::nullopt;
  const Vec3 offset = part.position(0, 0, 0) - whole.position(0, 0, 0);
  const auto z = range_along(offset, whole.step_z, part.nz, whole.nz);
  const auto y = range_along(offset, whole.step_y, part.ny, whole.ny);
  const auto x = range_along(offset, whole.step_x, part.nx, whole.nx);
  if (!z || !y || !x) return std::nullopt;
  return Subgrid{*z, *y, *x};
}

}  // namespace tl
