// Makes the back-projector, a LinearOperator: checks its arguments and chooses device and loops.
#include "gpu/projection/back_projector/back_projector.h"

#include <ATen/ATen.h>

#include "gpu/device/launch.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/projection/back_projector/cpu/plane.h"
#include "gpu/projection/back_projector/direction.h"
#include "gpu/projection/back_projector/launch.h"
#include "gpu/projection/back_projector/select.h"
#include "gpu/projection/back_projector/shared/kernels.h"
#include "gpu/projection/view_map.h"

namespace tl {
namespace {

class BackProjector final : public LinearOperator, public DirectionalOperator {
 public:
  explicit BackProjector(BackProjectorSpec spec)
      : spec_(std::move(spec)),
        maps_(ops::view_maps(spec_.geometry, spec_.grid)),
        task_(ops::back_project_task(spec_, maps_)),
        choice_(ops::back_project_choice(task_, spec_.kernel)) {}
  // task_ points into maps_.
  BackProjector(const BackProjector&) = delete;
  BackProjector& operator=(const BackProjector&) = delete;

  [[nodiscard]] std::string name() const override { return "back_projector"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {task_.views, task_.rows, task_.cols}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {task_.nz, task_.ny, task_.nx}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& projections) const override {
    ops::require_tensor(projections, domain(), "back_projector, projections");
    if (runs_functors(projections, name())) return ops::launch_back_projection(plan(), projections);
    at::Tensor volume = at::empty(range(), projections.options().requires_grad(false));
    if (projections.scalar_type() == at::kFloat) {
      ops::back_project_loop(choice_).run(choice_, projections.const_data_ptr<float>(),
                                          volume.mutable_data_ptr<float>(), spec_.cancel);
      return volume;
    }
    ops::back_project_generic(task_, projections.const_data_ptr<double>(), volume.mutable_data_ptr<double>(),
                              spec_.cancel);
    return volume;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& volume) const override {
    ops::require_tensor(volume, range(), "back_projector adjoint, volume");
    if (runs_functors(volume, name())) return ops::launch_back_projection_transpose(plan(), volume);
    at::Tensor projections = at::empty(domain(), volume.options().requires_grad(false));
    if (volume.scalar_type() == at::kFloat) {
      ops::back_project_transpose_loop(choice_).run(choice_, volume.const_data_ptr<float>(),
                                                    projections.mutable_data_ptr<float>(), spec_.cancel);
      return projections;
    }
    ops::back_project_transpose(task_, volume.const_data_ptr<double>(), projections.mutable_data_ptr<double>(),
                                spec_.cancel);
    return projections;
  }

  [[nodiscard]] std::shared_ptr<const LinearOperator> with_vectors(const at::Tensor& vectors) const override {
    BackProjectorSpec spec = spec_;
    spec.geometry = ops::with_vectors(spec_.geometry, vectors).or_throw();
    return make_back_projector(std::move(spec)).or_throw();
  }

  [[nodiscard]] at::Tensor vectors_gradient(const at::Tensor& projections, const at::Tensor& volume) const override {
    ops::require_tensor(projections, domain(), "back_projector gradient, projections");
    ops::require_tensor(volume, range(), "back_projector gradient, volume");
    TL_CHECK(projections.scalar_type() == volume.scalar_type() && projections.device() == volume.device(),
             "one type and one device for both sides");
    if (runs_functors(volume, name())) return ops::launch_back_projection_gradient(plan(), projections, volume);
    at::Tensor gradient = at::zeros({task_.views, 12}, at::kDouble);
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "back_project_gradient", [&] {
      ops::back_project_gradient(task_, spec_.geometry, spec_.grid, projections.const_data_ptr<scalar_t>(),
                                 volume.const_data_ptr<scalar_t>(), gradient.mutable_data_ptr<double>(), spec_.cancel);
    });
    return gradient;
  }

  [[nodiscard]] OperatorPtr along(const at::Tensor& change) const override;

  [[nodiscard]] ValueAndSlope apply_along(const at::Tensor& projections, const at::Tensor& change) const override {
    ops::require_tensor(projections, domain(), "back_projector, projections");
    ops::require_cpu(projections, "back_projector along a direction");
    const auto options = projections.options().requires_grad(false);
    ValueAndSlope out{at::empty(range(), options), at::empty(range(), options)};
    add_slopes(projections, changes_along(change), &out.value, out.slope);
    return out;
  }

  [[nodiscard]] at::Tensor adjoint_along(const ValueAndSlope& y, const at::Tensor& change) const override {
    if (!choice_.plane || y.value.scalar_type() != at::kFloat || y.slope.scalar_type() != at::kFloat) return {};
    const std::vector<ViewMap> changes = changes_along(change);
    if (!ops::plane_fits(task_, changes.data())) return {};
    for (const at::Tensor& part : {y.value, y.slope}) {
      ops::require_tensor(part, range(), "back_projector adjoint along a direction, volume");
      ops::require_cpu(part, "back_projector along a direction");
    }
    at::Tensor projections = at::empty(domain(), y.value.options().requires_grad(false));
    ops::back_project_plane_transpose(task_, changes.data(), y.value.const_data_ptr<float>(),
                                      y.slope.const_data_ptr<float>(), projections.mutable_data_ptr<float>(),
                                      spec_.cancel);
    return projections;
  }

 private:
  friend class BackProjectorAlong;

  [[nodiscard]] std::vector<ViewMap> changes_along(const at::Tensor& change) const {
    ops::require_tensor(change.contiguous(), {task_.views, 12}, "back_projector, change of the vectors");
    TL_CHECK(change.scalar_type() == at::kDouble, "view vectors are float64");
    return ops::view_maps_along(spec_.geometry, spec_.grid, change.contiguous().const_data_ptr<double>());
  }
  void add_slopes(const at::Tensor& projections, const std::vector<ViewMap>& changes, at::Tensor* volume,
                  at::Tensor& slope) const {
    if (choice_.plane && projections.scalar_type() == at::kFloat && ops::plane_fits(task_, changes.data())) {
      ops::back_project_plane(task_, changes.data(), projections.const_data_ptr<float>(),
                              volume == nullptr ? nullptr : volume->mutable_data_ptr<float>(),
                              slope.mutable_data_ptr<float>(), spec_.cancel);
      return;
    }
    AT_DISPATCH_FLOATING_TYPES(projections.scalar_type(), "back_project_along", [&] {
      ops::back_project_along(task_, changes.data(), projections.const_data_ptr<scalar_t>(),
                              volume == nullptr ? nullptr : volume->mutable_data_ptr<scalar_t>(),
                              slope.mutable_data_ptr<scalar_t>(), spec_.cancel);
    });
  }
  [[nodiscard]] ops::BackProjectPlan plan() const { return {task_, maps_, spec_}; }

  BackProjectorSpec spec_;
  std::vector<ViewMap> maps_;
  BackProjectTask task_;
  ops::BackProjectChoice choice_;
};

// The derivative d/ds of the back-projector with vectors + s change, at s = 0.
class BackProjectorAlong final : public LinearOperator {
 public:
  BackProjectorAlong(const BackProjectorSpec& spec, const at::Tensor& change)
      : back_(spec), changes_(back_.changes_along(change)) {}

  [[nodiscard]] std::string name() const override { return "back_projector along a direction"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return back_.domain(); }
  [[nodiscard]] std::vector<int64_t> range() const override { return back_.range(); }

  [[nodiscard]] at::Tensor apply(const at::Tensor& projections) const override {
    ops::require_tensor(projections, domain(), name() + ", projections");
    ops::require_cpu(projections, name());
    at::Tensor slope = at::empty(range(), projections.options().requires_grad(false));
    back_.add_slopes(projections, changes_, nullptr, slope);
    return slope;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& slope) const override {
    ops::require_tensor(slope, range(), name() + " adjoint, volume");
    ops::require_cpu(slope, name());
    at::Tensor projections = at::empty(domain(), slope.options().requires_grad(false));
    if (back_.choice_.plane && slope.scalar_type() == at::kFloat && ops::plane_fits(back_.task_, changes_.data())) {
      ops::back_project_plane_transpose(back_.task_, changes_.data(), nullptr, slope.const_data_ptr<float>(),
                                        projections.mutable_data_ptr<float>(), back_.spec_.cancel);
      return projections;
    }
    AT_DISPATCH_FLOATING_TYPES(slope.scalar_type(), "back_project_along_transpose", [&] {
      ops::back_project_along_transpose(back_.task_, changes_.data(), slope.const_data_ptr<scalar_t>(),
                                        projections.mutable_data_ptr<scalar_t>(), back_.spec_.cancel);
    });
    return projections;
  }

 private:
  BackProjector back_;
  std::vector<ViewMap> changes_;
};

OperatorPtr BackProjector::along(const at::Tensor& change) const {
  return std::make_shared<BackProjectorAlong>(spec_, change);
}

}  // namespace

Result<OperatorPtr> make_back_projector(BackProjectorSpec spec) {
  TL_TRY(spec.grid.validate());
  if (spec.geometry.views() < 1) return invalid("a scan without views", "back_projector");
  return OperatorPtr(std::make_shared<BackProjector>(std::move(spec)));
}

}  // namespace tl
