// Computes positions of voxels, and indices of positions.
#include "core/values/grid_positions.h"

#include <ATen/ATen.h>

namespace tl {

at::Tensor grid_positions(const VolumeGrid& g) {
  const Vec3 first = g.position(0, 0, 0);
  const at::Tensor k = at::arange(g.nz, at::kDouble).view({-1, 1, 1}),
                   j = at::arange(g.ny, at::kDouble).view({1, -1, 1}),
                   i = at::arange(g.nx, at::kDouble).view({1, 1, -1});
  const auto along = [&](double start, double z, double y, double x) { return start + z * k + y * j + x * i; };
  return at::stack({along(first.x, g.step_z.x, g.step_y.x, g.step_x.x),
                    along(first.y, g.step_z.y, g.step_y.y, g.step_x.y),
                    along(first.z, g.step_z.z, g.step_y.z, g.step_x.z)});
}

at::Tensor fractional_indices(const VolumeGrid& g, const at::Tensor& positions) {
  const Vec3 first = g.position(0, 0, 0);
  const at::Tensor x = positions[0] - first.x, y = positions[1] - first.y, z = positions[2] - first.z;
  const auto along = [&](Vec3 step) { return (step.x * x + step.y * y + step.z * z) / dot(step, step); };
  return at::stack({along(g.step_z), along(g.step_y), along(g.step_x)});
}

}  // namespace tl
