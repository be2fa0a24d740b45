// Launches the projector, its transpose and its gradient as functors on a GPU.
#include "gpu/projection/projector/launch.h"

#include <ATen/ATen.h>

#include "gpu/device/launch.h"
#include "gpu/operator/view_sums.h"
#include "gpu/projection/projector/shared/kernels.h"
#include "gpu/projection/projector/shared/transpose_math.h"
#include "gpu/projection/view_map.h"

namespace tl::ops {
namespace {

// The task with its rays copied to the device; `table` owns the copy.
ProjectTask task_on(const ProjectPlan& plan, at::Device device, at::Tensor& table) {
  plan.spec.cancel.check();
  table = device_table(plan.fans, device);
  ProjectTask task = plan.task;
  task.fans = table_data<RayFan>(table);
  return task;
}

}  // namespace

at::Tensor launch_projection(const ProjectPlan& plan, const at::Tensor& volume) {
  at::Tensor table;
  const ProjectTask task = task_on(plan, volume.device(), table);
  at::Tensor projections = at::empty({task.views, task.rows, task.cols}, volume.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project", [&] {
    launch(volume.device(),
           ProjectRay<scalar_t>{task, whole_box(task), volume.const_data_ptr<scalar_t>(),
                                projections.mutable_data_ptr<scalar_t>()},
           projections.numel());
  });
  return projections;
}

at::Tensor launch_projection_transpose(const ProjectPlan& plan, const at::Tensor& projections) {
  at::Tensor table;
  const ProjectTask task = task_on(plan, projections.device(), table);
  const std::vector<ViewMap> maps = view_maps(plan.spec.geometry, plan.spec.grid);
  const at::Tensor landings = device_table(maps, projections.device());
  at::Tensor volume = at::empty({task.size[2], task.size[1], task.size[0]}, projections.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(projections.scalar_type(), "project_adjoint", [&] {
    const CollectRays<scalar_t> collect{task, table_data<ViewMap>(landings), projections.const_data_ptr<scalar_t>(),
                                        volume.mutable_data_ptr<scalar_t>()};
    launch(projections.device(), collect, collect.count());
  });
  return volume;
}

at::Tensor launch_projection_gradient(const ProjectPlan& plan, const at::Tensor& volume,
                                      const at::Tensor& projections) {
  at::Tensor table;
  const ProjectTask task = task_on(plan, volume.device(), table);
  at::Tensor gradient = at::empty({task.views, 12}, at::kDouble);
  AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project_gradient", [&] {
    each_view_sum<ViewGradient>(
        volume.device(), task.views, task.rows * task.cols,
        [&](int64_t chunks, double* partial) {
          return ProjectSlopes<scalar_t>{
              task,   whole_box(task), volume.const_data_ptr<scalar_t>(), projections.const_data_ptr<scalar_t>(),
              chunks, partial};
        },
        [&](int64_t view, const ViewGradient& g) {
          ray_gradient_to_vectors(g, plan.spec.grid, gradient.mutable_data_ptr<double>() + 12 * view);
        });
  });
  return gradient;
}

}  // namespace tl::ops
