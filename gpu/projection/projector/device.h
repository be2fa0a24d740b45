// The projector by its functors, where the tensors live.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "gpu/projection/projector/math.h"
#include "gpu/projection/projector/projector.h"

namespace tl::ops {

// What a task on a device is made from: `task.fans` is replaced by a copy of `fans` there.
struct ProjectPlan {
  const ProjectTask& task;
  const std::vector<RayFan>& fans;
  const ProjectorSpec& spec;
};

// Checked tensors of one device, float32 or float64.
at::Tensor project_on_device(const ProjectPlan& plan, const at::Tensor& volume);
at::Tensor project_transpose_on_device(const ProjectPlan& plan, const at::Tensor& projections);
// [view, 12] float64 on the processor.
at::Tensor project_gradient_on_device(const ProjectPlan& plan, const at::Tensor& volume, const at::Tensor& projections);

}  // namespace tl::ops
