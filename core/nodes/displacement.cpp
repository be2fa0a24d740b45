// Implements what the nodes that align and warp volumes share.
#include "core/nodes/displacement.h"

#include <ATen/ATen.h>

#include "core/values/grid_positions.h"
#include "gpu/image/warp/volume_sampling.h"

namespace tl {

std::vector<LabelClass> displacement_channels() { return {{0, "x", ""}, {1, "y", ""}, {2, "z", ""}}; }

bool is_displacement(const MapsInfo& maps) { return maps.channels == displacement_channels() && maps.unit == Unit::mm; }

at::Tensor volume_at(const at::Tensor& volume, const VolumeGrid& from, const at::Tensor& positions,
                     const CancelToken& cancel) {
  return ops::sampled(volume, fractional_indices(from, positions), cancel);
}

}  // namespace tl
