// The back-projector by its functors, where the tensors live.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/back_projector/math.h"

namespace tl::ops {

// What a task on a device is made from: `task.maps` is replaced by a copy of `maps` there.
struct BackProjectPlan {
  const BackProjectTask& task;
  const std::vector<ViewMap>& maps;
  const BackProjectorSpec& spec;
};

// Checked tensors of one device, float32 or float64. In float32 and with KernelChoice::fastest tiles of voxels stage
// the detector (back_projector_tile_math.h), else every voxel gathers on its own. Only the former know half storage.
at::Tensor back_project_on_device(const BackProjectPlan& plan, const at::Tensor& projections);
at::Tensor back_project_transpose_on_device(const BackProjectPlan& plan, const at::Tensor& volume);
// [view, 12] float64 on the processor.
at::Tensor back_project_gradient_on_device(const BackProjectPlan& plan, const at::Tensor& projections,
                                           const at::Tensor& volume);

}  // namespace tl::ops
