// Launches the back-projector, its transpose and its gradient as functors on a GPU.
#include "gpu/projection/back_projector/launch.h"

#include <ATen/ATen.h>

#include "gpu/device/launch.h"
#include "gpu/operator/view_sums.h"
#include "gpu/projection/back_projector/shared/kernels.h"
#include "gpu/projection/back_projector/shared/tile_math.h"
#include "gpu/projection/back_projector/shared/transpose_math.h"

namespace tl::ops {
namespace {

// The task with its maps copied to the device; `table` owns the copy.
BackProjectTask task_on(const BackProjectPlan& plan, at::Device device, at::Tensor& table) {
  table = device_table(plan.maps, device);
  BackProjectTask task = plan.task;
  task.maps = table_data<ViewMap>(table);
  return task;
}

// Views in half precision, each divided by its own largest magnitude so that nothing overflows.
struct ScaledHalfViews {
  at::Tensor bits, scales;
};
ScaledHalfViews to_scaled_half_views(const at::Tensor& projections) {
  const at::Tensor peak = projections.abs().nan_to_num(0, 0, 0).amax(at::IntArrayRef{1, 2});
  const at::Tensor scales = at::where(peak > 0, peak, at::ones_like(peak)).contiguous();
  const at::Tensor factors = scales.reciprocal();
  ScaledHalfViews out{at::empty(projections.sizes(), projections.options().dtype(at::kHalf)), scales};
  launch(projections.device(),
         StoreHalf{projections.const_data_ptr<float>(), factors.const_data_ptr<float>(),
                   projections.size(1) * projections.size(2), static_cast<Half*>(out.bits.mutable_data_ptr())},
         projections.numel());
  return out;
}

void in_tiles(const BackProjectTask& task, const BackProjectorSpec& spec, const at::Tensor& projections,
              at::Tensor& volume) {
  auto* out = volume.mutable_data_ptr<float>();
  if (spec.storage == ViewStorage::half) {
    const ScaledHalfViews views = to_scaled_half_views(projections);
    const BackProjectTile<Half> tile{task, static_cast<const Half*>(views.bits.const_data_ptr()),
                                     views.scales.const_data_ptr<float>(), out};
    return launch_blocks(projections.device(), tile, tile.blocks());
  }
  const BackProjectTile<float> tile{task, projections.const_data_ptr<float>(), nullptr, out};
  launch_blocks(projections.device(), tile, tile.blocks());
}

}  // namespace

at::Tensor launch_back_projection(const BackProjectPlan& plan, const at::Tensor& projections) {
  plan.spec.cancel.check();
  at::Tensor table;
  const BackProjectTask task = task_on(plan, projections.device(), table);
  at::Tensor volume = at::empty({task.nz, task.ny, task.nx}, projections.options().requires_grad(false));
  if (projections.scalar_type() == at::kFloat && plan.spec.kernel == KernelChoice::fastest) {
    in_tiles(task, plan.spec, projections, volume);
    return volume;
  }
  AT_DISPATCH_FLOATING_TYPES(projections.scalar_type(), "back_project", [&] {
    launch(
        projections.device(),
        BackProjectVoxel<scalar_t>{task, projections.const_data_ptr<scalar_t>(), volume.mutable_data_ptr<scalar_t>()},
        volume.numel());
  });
  return volume;
}

at::Tensor launch_back_projection_transpose(const BackProjectPlan& plan, const at::Tensor& volume) {
  plan.spec.cancel.check();
  at::Tensor table;
  const BackProjectTask task = task_on(plan, volume.device(), table);
  at::Tensor projections = at::empty({task.views, task.rows, task.cols}, volume.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "back_project_adjoint", [&] {
    launch(
        volume.device(),
        BackProjectPixel<scalar_t>{task, volume.const_data_ptr<scalar_t>(), projections.mutable_data_ptr<scalar_t>()},
        projections.numel());
  });
  return projections;
}

at::Tensor launch_back_projection_gradient(const BackProjectPlan& plan, const at::Tensor& projections,
                                           const at::Tensor& volume) {
  plan.spec.cancel.check();
  at::Tensor table;
  const BackProjectTask task = task_on(plan, volume.device(), table);
  at::Tensor gradient = at::empty({task.views, 12}, at::kDouble);
  AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "back_project_gradient", [&] {
    each_view_sum<MapGradient>(
        volume.device(), task.views, volume.numel(),
        [&](int64_t chunks, double* partial) {
          return BackProjectSlopes<scalar_t>{task, projections.const_data_ptr<scalar_t>(),
                                             volume.const_data_ptr<scalar_t>(), chunks, partial};
        },
        [&](int64_t view, const MapGradient& g) {
          map_gradient_to_vectors(g, plan.spec.geometry.view(view), plan.spec.geometry, plan.spec.grid,
                                  gradient.mutable_data_ptr<double>() + 12 * view);
        });
  });
  return gradient;
}

}  // namespace tl::ops
