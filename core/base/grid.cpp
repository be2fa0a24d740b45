// Computes positions, parts and binning of a grid of voxels.
#include "core/base/grid.h"

#include <limits>
#include <string>

namespace tl {

VolumeGrid VolumeGrid::cubic(int64_t nz, int64_t ny, int64_t nx, double voxel, Vec3 centre) {
  return {nz, ny, nx, centre, {voxel, 0, 0}, {0, voxel, 0}, {0, 0, voxel}};
}

VolumeGrid VolumeGrid::plane(int64_t rows, int64_t cols, double pixel, Vec3 centre, Vec3 along_col, Vec3 along_row) {
  const Vec3 x = (pixel / norm(along_col)) * along_col;
  const Vec3 y = (pixel / norm(along_row)) * along_row;
  return {1, rows, cols, centre, x, y, (1.0 / pixel) * cross(x, y)};
}

Vec3 VolumeGrid::position(double k, double j, double i) const {
  return centre + (i - 0.5 * static_cast<double>(nx - 1)) * step_x + (j - 0.5 * static_cast<double>(ny - 1)) * step_y +
         (k - 0.5 * static_cast<double>(nz - 1)) * step_z;
}

VolumeGrid VolumeGrid::sub(Range z, Range y, Range x) const {
  VolumeGrid g = *this;
  g.nz = z.size();
  g.ny = y.size();
  g.nx = x.size();
  g.centre = position(0.5 * static_cast<double>(z.begin + z.end - 1), 0.5 * static_cast<double>(y.begin + y.end - 1),
                      0.5 * static_cast<double>(x.begin + x.end - 1));
  return g;
}

VolumeGrid VolumeGrid::binned(int64_t factor) const {
  const auto fit = [factor](int64_t n) { return std::max<int64_t>(1, n / factor) * std::min(n, factor); };
  VolumeGrid g = sub({0, fit(nz)}, {0, fit(ny)}, {0, fit(nx)});
  const auto reduce = [factor](int64_t& n, Vec3& step) {
    const int64_t used = std::min(n, factor);
    n /= used;
    step = static_cast<double>(used) * step;
  };
  reduce(g.nz, g.step_z);
  reduce(g.ny, g.step_y);
  reduce(g.nx, g.step_x);
  return g;
}

double VolumeGrid::voxel_volume() const { return std::abs(dot(cross(step_x, step_y), step_z)); }

bool VolumeGrid::is_axis_aligned() const {
  return step_x.y == 0 && step_x.z == 0 && step_x.x > 0 && step_y.x == 0 && step_y.z == 0 && step_y.y > 0 &&
         step_z.x == 0 && step_z.y == 0 && step_z.z > 0;
}

Result<void> VolumeGrid::validate() const {
  const auto shape = std::to_string(nz) + " x " + std::to_string(ny) + " x " + std::to_string(nx);
  if (nz < 1 || ny < 1 || nx < 1) return invalid("a volume needs at least one voxel along each axis, not " + shape);
  constexpr int64_t limit = std::numeric_limits<int64_t>::max() / 16;
  if (ny > limit / nx || nz > limit / (ny * nx)) return invalid("a volume of " + shape + " voxels cannot be addressed");
  const double volume = voxel_volume();
  const double product = norm(step_x) * norm(step_y) * norm(step_z);
  if (!std::isfinite(volume) || !(volume > 0) || volume < (1 - 1e-9) * product)
    return invalid("the voxel steps must be finite and orthogonal");
  if (!std::isfinite(norm(centre))) return invalid("the centre of a volume must be finite");
  return ok();
}

}  // namespace tl
