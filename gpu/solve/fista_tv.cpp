// Reconstructs with total variation by monotone FISTA, with a denoiser inside.
#include "gpu/solve/fista_tv.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"
#include "gpu/solve/weighted_sum.h"

namespace tl::solve {
namespace {

constexpr double limited_momentum = 0.5;

double next_t(double t) { return 0.5 * (1 + std::sqrt(1 + 4 * t * t)); }

}  // namespace

FistaTv::FistaTv(Equations equations, const FistaSpec& spec) : equations_(std::move(equations)), spec_(spec) {
  require_tv(spec.tv, equations_, "FISTA-TV");
  if (spec.denoising < 1) throw Failure(invalid("at least one inner iteration is needed", "FISTA-TV"));
  if (!(spec.settled >= 0 && spec.settled < 1))
    throw Failure(
        invalid("the change below which the inner iterations stop must be at least 0 and below 1", "FISTA-TV"));
  data_squares_ = total_of_squares(equations_.data);
}

FistaState FistaTv::start(const at::Tensor& x, double norm, const CancelToken& cancel) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  const std::vector<int64_t> n = op->domain();
  FistaState s;
  if (x.defined()) {
    ops::require_tensor(x, n, "FISTA-TV, start");
    s.x = x.detach().to(data.options().requires_grad(false), false, /*copy=*/true);
    s.ax = op->apply(s.x);
  } else {
    s.x = at::zeros(n, data.options());
    s.ax = at::zeros(op->range(), data.options());
  }
  s.x_before = s.x.clone();
  s.ax_before = s.ax.clone();
  s.dual = at::zeros({3, n[0], n[1], n[2]}, data.options());
  s.norm = norm > 0 ? norm : norm_bound(*op, data.options(), cancel);
  s.objective = objective(s.x, total_of_squares(s.ax - data));
  return s;
}

void FistaTv::run(FistaState& s, const IterationControl& loop, std::vector<FistaStep>* course) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  const double lipschitz = s.norm * s.norm;
  ops::TvDenoising inner;
  inner.weights = spec_.tv.weights;
  inner.strength = lipschitz > 0 ? spec_.tv.lambda / lipschitz : 0;
  if (spec_.tv.sign == Sign::non_negative) inner.low = 0;
  inner.steps = spec_.denoising;
  inner.cancel = loop.cancel;
  for (int64_t n = 0; n < loop.iterations; ++n) {
    loop.cancel.check();
    // Memory is reused: ax_before for the residual of the extrapolated point, x_before for the new estimate.
    weighted_sum(s.ax_before, {s.ax, 1 + s.momentum}, {s.ax_before, -s.momentum}, {data, -1});
    at::Tensor point = op->adjoint(s.ax_before);
    weighted_sum(point, {s.x, 1 + s.momentum}, {s.x_before, -s.momentum}, {point, lipschitz > 0 ? -1 / lipschitz : 0});
    inner.before = s.x;
    inner.settled = s.rejected >= 2 ? 0 : spec_.settled;
    at::Tensor next = s.x_before;
    FistaStep step{s.momentum, ops::tv_denoise(next, point, s.dual, inner), true};
    loop.cancel.check();
    at::Tensor projected = op->apply(next);
    const double squares = total_of_squares(projected - data), found = objective(next, squares);
    const bool guarded = spec_.momentum == MomentumRule::guarded, taken = !guarded || !(found > s.objective);
    step.taken = taken;
    if (course != nullptr) course->push_back(step);
    if (!taken) {
      ++s.rejected;
      s.t = 1;
      s.momentum = 0;
    } else {
      s.x_before = s.x;
      s.ax_before = s.ax;
      s.x = next;
      s.ax = projected;
      s.objective = found;
      s.rejected = 0;
      const double t_after = next_t(s.t);
      s.momentum = (s.t - 1) / t_after;
      if (!guarded) s.momentum = std::min(s.momentum, limited_momentum);
      s.t = t_after;
    }
    ++s.iteration;
    if (!loop.report) continue;
    const double left = taken ? squares : total_of_squares(s.ax - data);
    loop.report({s.iteration, relative_residual(left, data_squares_), s.objective});
  }
}

double FistaTv::objective(const at::Tensor& x, double residual_squares) const {
  return 0.5 * residual_squares + spec_.tv.lambda * ops::total_variation(x, spec_.tv.weights);
}

}  // namespace tl::solve
