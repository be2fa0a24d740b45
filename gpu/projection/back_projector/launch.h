// The back-projector on a GPU: launches it, its transpose and its gradient.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// Input of a task on a device; `task.maps` is replaced by a copy of `maps` in the device's memory.
struct BackProjectPlan {
  const BackProjectTask& task;
  const std::vector<ViewMap>& maps;
  const BackProjectorSpec& spec;
};

// Tensors must be checked, on one device, float32 or float64. In float32 with KernelChoice::fastest, tiles of voxels
// stage the detector in shared memory (tile_math.h); otherwise every voxel gathers its pixels. Only tiles support half
// storage.
at::Tensor launch_back_projection(const BackProjectPlan& plan, const at::Tensor& projections);
at::Tensor launch_back_projection_transpose(const BackProjectPlan& plan, const at::Tensor& volume);
// Returns [view, 12] float64 on the CPU.
at::Tensor launch_back_projection_gradient(const BackProjectPlan& plan, const at::Tensor& projections,
                                           const at::Tensor& volume);

}  // namespace tl::ops
