// FISTA with a total-variation denoiser inside.
#include "gpu/solve/fista_tv.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <limits>

#include "gpu/ops/operator_checks.h"
#include "gpu/reduce.h"

namespace tl::solve {
namespace {

// Power iterations find the norm from below; the steps must not be too long.
constexpr double norm_margin = 1.01;

double next_t(double t) { return 0.5 * (1 + std::sqrt(1 + 4 * t * t)); }

}  // namespace

FistaTv::FistaTv(Equations equations, const FistaSpec& spec) : equations_(std::move(equations)), spec_(spec) {
  require_tv(spec.tv, equations_, "FISTA-TV");
  if (spec.denoising < 1) throw Failure(invalid("at least one inner iteration is needed", "FISTA-TV"));
  const std::vector<int64_t> n = equations_.op->domain();
  gradient_norm_ = ops::gradient_norm({n[0], n[1], n[2]}, spec.tv.weights);
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
  s.norm = norm > 0 ? norm : norm_margin * operator_norm(*op, data.options(), cancel);
  return s;
}

// x <- argmin 1/2 |u - x|^2 + strength TV(u) by fast gradient projection on the dual, in units where the dual vectors
// have length 1.
void FistaTv::denoise(at::Tensor& x, at::Tensor& dual, double strength, const CancelToken& cancel) const {
  const double low = spec_.tv.sign == Sign::non_negative ? 0 : -std::numeric_limits<double>::infinity();
  if (strength > 0 && gradient_norm_ > 0) {
    at::Tensor inertial = dual.clone(), trial = at::empty_like(x);
    double t = 1;
    for (int64_t k = 0; k < spec_.denoising; ++k) {
      cancel.check();
      const double t_after = next_t(t);
      trial.copy_(x);
      ops::tv_primal_step(trial, inertial, spec_.tv.weights, strength, low);
      ops::tv_dual_step(dual, inertial, trial, spec_.tv.weights, 1 / (gradient_norm_ * gradient_norm_ * strength), 1,
                        (t - 1) / t_after);
      t = t_after;
    }
  }
  ops::tv_primal_step(x, dual, spec_.tv.weights, strength, low);
}

void FistaTv::run(FistaState& s, const Loop& loop) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  const double lipschitz = s.norm * s.norm;
  for (int64_t n = 0; n < loop.iterations; ++n) {
    loop.cancel.check();
    // The extrapolated point and its residual take the place of the estimate before the last.
    at::Tensor point = s.x_before.mul_(-s.momentum).add_(s.x, 1 + s.momentum);
    const at::Tensor residual = s.ax_before.mul_(-s.momentum).add_(s.ax, 1 + s.momentum).sub_(data);
    if (lipschitz > 0) point.sub_(op->adjoint(residual), 1 / lipschitz);
    denoise(point, s.dual, lipschitz > 0 ? spec_.tv.lambda / lipschitz : 0, loop.cancel);
    loop.cancel.check();
    at::Tensor projected = op->apply(point);
    s.x_before = s.x;
    s.ax_before = s.ax;
    s.x = point;
    s.ax = projected;
    const double t_after = next_t(s.t);
    s.momentum = (s.t - 1) / t_after;
    s.t = t_after;
    ++s.iteration;
    if (loop.report) {
      const double squares = total_of_squares(s.ax - data);
      loop.report({s.iteration, relative_residual(squares, data_squares_),
                   0.5 * squares + spec_.tv.lambda * ops::total_variation(s.x, spec_.tv.weights)});
    }
  }
}

}  // namespace tl::solve
