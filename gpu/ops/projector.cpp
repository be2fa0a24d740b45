// The projector as a LinearOperator: checks, then the loops.
#include "gpu/ops/projector.h"

#include <ATen/ATen.h>

#include <type_traits>

#include "gpu/ops/operator_checks.h"
#include "gpu/ops/projector_kernels.h"
#include "gpu/ops/projector_levels.h"
#include "gpu/ops/projector_upright.h"

namespace tl {
namespace {

class Projector final : public LinearOperator {
 public:
  explicit Projector(ProjectorSpec spec) : spec_(std::move(spec)), fans_(ops::ray_fans(spec_.geometry, spec_.grid)) {
    const DetectorShape& d = spec_.geometry.detector();
    const VolumeGrid& g = spec_.grid;
    task_ = {fans_.data(),
             spec_.geometry.views(),
             d.rows,
             d.cols,
             {g.nx, g.ny, g.nz},
             {1, g.nx, g.nx * g.ny},
             {norm(g.step_x), norm(g.step_y), norm(g.step_z)},
             spec_.geometry.is_parallel() ? 0 : 1};
    if (spec_.kernel == KernelChoice::fastest) levels_ = ops::level_scan(task_);
    upright_ = spec_.kernel == KernelChoice::fastest && levels_.views.empty() && ops::is_upright_scan(task_);
  }
  // task_ points into fans_.
  Projector(const Projector&) = delete;
  Projector& operator=(const Projector&) = delete;

  [[nodiscard]] std::string name() const override { return "projector"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {task_.size[2], task_.size[1], task_.size[0]}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {task_.views, task_.rows, task_.cols}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& volume) const override {
    ops::require_tensor(volume, domain(), "projector, volume");
    ops::require_cpu(volume, "projector");
    at::Tensor projections = at::empty(range(), volume.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project", [&] {
      project(volume.const_data_ptr<scalar_t>(), projections.mutable_data_ptr<scalar_t>());
    });
    return projections;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& projections) const override {
    ops::require_tensor(projections, range(), "projector adjoint, projections");
    ops::require_cpu(projections, "projector adjoint");
    at::Tensor volume = at::empty(domain(), projections.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(projections.scalar_type(), "project_adjoint", [&] {
      collect(projections.const_data_ptr<scalar_t>(), volume.mutable_data_ptr<scalar_t>());
    });
    return volume;
  }

  [[nodiscard]] std::shared_ptr<const LinearOperator> with_vectors(const at::Tensor& vectors) const override {
    ProjectorSpec spec = spec_;
    spec.geometry = ops::with_vectors(spec_.geometry, vectors).or_throw();
    return make_projector(std::move(spec)).or_throw();
  }

  [[nodiscard]] at::Tensor vectors_gradient(const at::Tensor& volume, const at::Tensor& projections) const override {
    ops::require_tensor(volume, domain(), "projector gradient, volume");
    ops::require_tensor(projections, range(), "projector gradient, projections");
    ops::require_cpu(volume, "projector gradient");
    ops::require_cpu(projections, "projector gradient");
    TL_CHECK(projections.scalar_type() == volume.scalar_type(), "one type for both sides");
    at::Tensor gradient = at::zeros({task_.views, 12}, at::kDouble);
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project_gradient", [&] {
      ops::project_gradient(task_, spec_.grid, volume.const_data_ptr<scalar_t>(),
                            projections.const_data_ptr<scalar_t>(), gradient.mutable_data_ptr<double>(), spec_.cancel);
    });
    return gradient;
  }

 private:
  // The fastest loops that serve the scan; the upright ones work in float alone.
  template <class T>
  void project(const T* volume, T* projections) const {
    if (!levels_.views.empty()) return ops::project_levels(task_, levels_, volume, projections, spec_.cancel);
    if constexpr (std::is_same_v<T, float>)
      if (upright_) return ops::project_upright(task_, volume, projections, spec_.cancel);
    ops::project_generic(task_, volume, projections, spec_.cancel);
  }
  template <class T>
  void collect(const T* projections, T* volume) const {
    if (!levels_.views.empty()) return ops::project_levels_transpose(task_, levels_, projections, volume, spec_.cancel);
    if constexpr (std::is_same_v<T, float>)
      if (upright_) return ops::project_upright_transpose(task_, projections, volume, spec_.cancel);
    ops::project_transpose(task_, projections, volume, spec_.cancel);
  }

  ProjectorSpec spec_;
  std::vector<RayFan> fans_;
  ProjectTask task_{};
  ops::LevelScan levels_;
  bool upright_ = false;
};

}  // namespace

Result<OperatorPtr> make_projector(ProjectorSpec spec) {
  TL_TRY(spec.grid.validate());
  if (spec.geometry.views() < 1) return invalid("a scan without views", "projector");
  return OperatorPtr(std::make_shared<Projector>(std::move(spec)));
}

}  // namespace tl
