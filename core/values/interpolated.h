// Interpolation of a volume at the points of another grid.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/grid.h"

namespace tl {

// Trilinear interpolation of a volume [z, y, x] on `from` at the points of `to`. Values stay constant from the centres
// of the outermost voxels to their edges, and are 0 beyond. Gradients pass to the volume.
at::Tensor interpolated(const at::Tensor& volume, const VolumeGrid& from, const VolumeGrid& to);

}  // namespace tl
