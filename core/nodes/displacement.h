// Shared by the nodes that align and warp volumes: displacements as maps, and volumes at displaced positions.
#pragma once

#include "core/node/node_builder.h"

namespace tl {

// The components x, y and z of a displacement [mm], as channels of maps.
std::vector<LabelClass> displacement_channels();
// Whether maps have these channels, in mm.
bool is_displacement(const MapsInfo& maps);

// Along x, y, z [mm], of a displacement [3, z, y, x] along the axes z, y, x of a grid [voxels].
at::Tensor displacement_in_mm(const at::Tensor& displacement, const VolumeGrid& grid);

// The volume on `from` at positions x, y, z [mm], float64 [3, z, y, x], by trilinear interpolation; 0 outside.
// Gradients pass to both.
at::Tensor volume_at(const at::Tensor& volume, const VolumeGrid& from, const at::Tensor& positions,
                     const CancelToken& cancel);

}  // namespace tl
