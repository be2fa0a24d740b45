// Shared by the nodes that align and warp volumes.
#include "core/nodes/displacement.h"

#include <ATen/ATen.h>

#include "core/values/grid_positions.h"
#include "gpu/image/warp/volume_sampling.h"

namespace tl {

std::vector<LabelClass> displacement_channels() { return {{0, "x", ""}, {1, "y", ""}, {2, "z", ""}}; }

bool is_displacement(const MapsInfo& maps) { return maps.channels == displacement_channels() && maps.unit == Unit::mm; }

at::Tensor displacement_in_mm(const at::Tensor& d, const VolumeGrid& g) {
  const auto along = [&](double z, double y, double x) { return z * d[0] + y * d[1] + x * d[2]; };
  return at::stack({along(g.step_z.x, g.step_y.x, g.step_x.x), along(g.step_z.y, g.step_y.y, g.step_x.y),
                    along(g.step_z.z, g.step_y.z, g.step_x.z)});
}

at::Tensor volume_at(const at::Tensor& volume, const VolumeGrid& from, const at::Tensor& positions,
                     const CancelToken& cancel) {
  return ops::sampled(volume, fractional_indices(from, positions), cancel);
}

}  // namespace tl
