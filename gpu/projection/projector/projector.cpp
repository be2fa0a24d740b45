// Makes the forward projector, a LinearOperator: checks its arguments and chooses the loops.
#include "gpu/projection/projector/projector.h"

#include <ATen/ATen.h>

#include <array>

#include "gpu/device/launch.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/pair_operator.h"
#include "gpu/projection/projector/cpu/parallel_untilted.h"
#include "gpu/projection/projector/direction.h"
#include "gpu/projection/projector/launch.h"
#include "gpu/projection/projector/select.h"
#include "gpu/projection/projector/shared/kernels.h"

namespace tl {
namespace {

class Projector final : public LinearOperator, public DirectionalOperator, public PairOperator {
 public:
  explicit Projector(ProjectorSpec spec)
      : spec_(std::move(spec)),
        fans_(ops::ray_fans(spec_.geometry, spec_.grid)),
        task_(ops::project_task(spec_, fans_)),
        choice_(ops::project_choice(task_, spec_.kernel)) {}
  // task_ points into fans_.
  Projector(const Projector&) = delete;
  Projector& operator=(const Projector&) = delete;

  [[nodiscard]] std::string name() const override { return "projector"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {task_.size[2], task_.size[1], task_.size[0]}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {task_.views, task_.rows, task_.cols}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& volume) const override {
    ops::require_tensor(volume, domain(), "projector, volume");
    if (runs_functors(volume, name())) return ops::launch_projection(plan(), volume);
    at::Tensor projections = at::empty(range(), volume.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project", [&] {
      ops::project_loop<scalar_t>(choice_).forward(choice_, volume.const_data_ptr<scalar_t>(),
                                                   projections.mutable_data_ptr<scalar_t>(), spec_.cancel);
    });
    return projections;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& projections) const override {
    ops::require_tensor(projections, range(), "projector adjoint, projections");
    if (runs_functors(projections, name())) return ops::launch_projection_transpose(plan(), projections);
    at::Tensor volume = at::empty(domain(), projections.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(projections.scalar_type(), "project_adjoint", [&] {
      ops::project_loop<scalar_t>(choice_).transpose(choice_, projections.const_data_ptr<scalar_t>(),
                                                     volume.mutable_data_ptr<scalar_t>(), spec_.cancel);
    });
    return volume;
  }

  [[nodiscard]] bool takes_pairs(const at::Tensor& like) const override {
    if (!like.is_cpu() || choice_.parallel.views.empty()) return false;
    return task_.size[2] <=
           AT_DISPATCH_FLOATING_TYPES(like.scalar_type(), "pairs", [&] { return ops::max_slices_of_pair<scalar_t>(); });
  }
  [[nodiscard]] Pair apply_pair(const Pair& volumes) const override {
    return both(volumes, domain(), range(), "projector, volume", [&]<class T>(const auto& from, const auto& to) {
      ops::project_parallel_untilted<T>(task_, choice_.parallel, from, to, spec_.cancel);
    });
  }
  [[nodiscard]] Pair adjoint_pair(const Pair& projections) const override {
    return both(projections, range(), domain(), "projector adjoint, projections",
                [&]<class T>(const auto& from, const auto& to) {
                  ops::project_parallel_untilted_transpose<T>(task_, choice_.parallel, from, to, spec_.cancel);
                });
  }

  [[nodiscard]] std::shared_ptr<const LinearOperator> with_vectors(const at::Tensor& vectors) const override {
    ProjectorSpec spec = spec_;
    spec.geometry = ops::with_vectors(spec_.geometry, vectors).or_throw();
    return make_projector(std::move(spec)).or_throw();
  }

  [[nodiscard]] at::Tensor vectors_gradient(const at::Tensor& volume, const at::Tensor& projections) const override {
    ops::require_tensor(volume, domain(), "projector gradient, volume");
    ops::require_tensor(projections, range(), "projector gradient, projections");
    TL_CHECK(projections.scalar_type() == volume.scalar_type() && projections.device() == volume.device(),
             "one type and one device for both sides");
    if (runs_functors(volume, name())) return ops::launch_projection_gradient(plan(), volume, projections);
    at::Tensor gradient = at::zeros({task_.views, 12}, at::kDouble);
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project_gradient", [&] {
      ops::project_gradient(task_, spec_.grid, volume.const_data_ptr<scalar_t>(),
                            projections.const_data_ptr<scalar_t>(), gradient.mutable_data_ptr<double>(), spec_.cancel);
    });
    return gradient;
  }

  [[nodiscard]] OperatorPtr along(const at::Tensor& change) const override;

  [[nodiscard]] ValueAndSlope apply_along(const at::Tensor& volume, const at::Tensor& change) const override {
    ops::require_tensor(volume, domain(), "projector, volume");
    ops::require_cpu(volume, "projector along a direction");
    const auto options = volume.options().requires_grad(false);
    ValueAndSlope out{at::empty(range(), options), at::empty(range(), options)};
    add_slopes(volume, changes_along(change), &out.value, out.slope);
    return out;
  }

 private:
  friend class ProjectorAlong;

  [[nodiscard]] std::vector<RayFan> changes_along(const at::Tensor& change) const {
    ops::require_tensor(change.contiguous(), {task_.views, 12}, "projector, change of the vectors");
    TL_CHECK(change.scalar_type() == at::kDouble, "view vectors are float64");
    return ops::ray_fans_along(spec_.geometry, spec_.grid, change.contiguous().const_data_ptr<double>());
  }
  void add_slopes(const at::Tensor& volume, const std::vector<RayFan>& changes, at::Tensor* projections,
                  at::Tensor& slope) const {
    AT_DISPATCH_FLOATING_TYPES(volume.scalar_type(), "project_along", [&] {
      ops::project_along(task_, changes.data(), volume.const_data_ptr<scalar_t>(),
                         projections == nullptr ? nullptr : projections->mutable_data_ptr<scalar_t>(),
                         slope.mutable_data_ptr<scalar_t>(), spec_.cancel);
    });
  }
  template <class Loop>
  [[nodiscard]] static Pair both(const Pair& from, const std::vector<int64_t>& in, const std::vector<int64_t>& out,
                                 const std::string& what, const Loop& loop) {
    ops::require_tensor(from.first, in, what);
    ops::require_tensor(from.second, in, what);
    TL_CHECK(from.first.scalar_type() == from.second.scalar_type(), "a pair has one type");
    const auto options = from.first.options().requires_grad(false);
    Pair to{at::empty(out, options), at::empty(out, options)};
    AT_DISPATCH_FLOATING_TYPES(from.first.scalar_type(), "project_pair", [&] {
      loop.template operator()<scalar_t>(
          std::array{from.first.const_data_ptr<scalar_t>(), from.second.const_data_ptr<scalar_t>()},
          std::array{to.first.mutable_data_ptr<scalar_t>(), to.second.mutable_data_ptr<scalar_t>()});
    });
    return to;
  }
  [[nodiscard]] ops::ProjectPlan plan() const { return {task_, fans_, spec_}; }

  ProjectorSpec spec_;
  std::vector<RayFan> fans_;
  ProjectTask task_;
  ops::ProjectChoice choice_;
};

// The derivative d/ds of the projector with vectors + s change, at s = 0.
class ProjectorAlong final : public LinearOperator {
 public:
  ProjectorAlong(const ProjectorSpec& spec, const at::Tensor& change)
      : projector_(spec), changes_(projector_.changes_along(change)) {}

  [[nodiscard]] std::string name() const override { return "projector along a direction"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return projector_.domain(); }
  [[nodiscard]] std::vector<int64_t> range() const override { return projector_.range(); }

  [[nodiscard]] at::Tensor apply(const at::Tensor& volume) const override {
    ops::require_tensor(volume, domain(), name() + ", volume");
    ops::require_cpu(volume, name());
    at::Tensor slope = at::empty(range(), volume.options().requires_grad(false));
    projector_.add_slopes(volume, changes_, nullptr, slope);
    return slope;
  }

  [[nodiscard]] at::Tensor adjoint(const at::Tensor& slope) const override {
    ops::require_tensor(slope, range(), name() + " adjoint, projections");
    ops::require_cpu(slope, name());
    at::Tensor volume = at::empty(domain(), slope.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(slope.scalar_type(), "project_along_transpose", [&] {
      ops::project_along_transpose(projector_.task_, changes_.data(), slope.const_data_ptr<scalar_t>(),
                                   volume.mutable_data_ptr<scalar_t>(), projector_.spec_.cancel);
    });
    return volume;
  }

 private:
  Projector projector_;
  std::vector<RayFan> changes_;
};

OperatorPtr Projector::along(const at::Tensor& change) const { return std::make_shared<ProjectorAlong>(spec_, change); }

}  // namespace

Result<OperatorPtr> make_projector(ProjectorSpec spec) {
  TL_TRY(spec.grid.validate());
  if (spec.geometry.views() < 1) return invalid("a scan without views", "projector");
  return OperatorPtr(std::make_shared<Projector>(std::move(spec)));
}

}  // namespace tl
