// The projector on a GPU: launches it, its transpose and its gradient.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "gpu/projection/projector/projector.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// Input of a task on a device; `task.fans` is replaced by a copy of `fans` in the device's memory.
struct ProjectPlan {
  const ProjectTask& task;
  const std::vector<RayFan>& fans;
  const ProjectorSpec& spec;
};

// Tensors must be checked, on one device, float32 or float64.
at::Tensor launch_projection(const ProjectPlan& plan, const at::Tensor& volume);
at::Tensor launch_projection_transpose(const ProjectPlan& plan, const at::Tensor& projections);
// Returns [view, 12] float64 on the CPU.
at::Tensor launch_projection_gradient(const ProjectPlan& plan, const at::Tensor& volume, const at::Tensor& projections);

}  // namespace tl::ops
