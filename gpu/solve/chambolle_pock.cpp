// Reconstructs with total variation by the primal-dual method of Chambolle and Pock.
#include "gpu/solve/chambolle_pock.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <limits>

#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"
#include "gpu/solve/weighted_sum.h"

namespace tl::solve {

void require_tv(const TvSpec& spec, const Equations& equations, const char* where) {
  require_equations({equations}, where);
  const std::vector<int64_t> domain = equations.op->domain();
  if (domain.size() != 3) throw Failure(invalid("total variation needs a volume [z, y, x]", where));
  if (!(spec.lambda >= 0) || !std::isfinite(spec.lambda))
    throw Failure(invalid("the weight of the total variation must be 0 or more", where));
  (void)ops::make_gradient({domain[0], domain[1], domain[2]}, spec.weights).or_throw();
}

ChambollePock::ChambollePock(Equations equations, const TvSpec& spec) : equations_(std::move(equations)), spec_(spec) {
  require_tv(spec, equations_, "Chambolle-Pock");
  const std::vector<int64_t> n = equations_.op->domain();
  gradient_norm_ = ops::gradient_norm({n[0], n[1], n[2]}, spec.weights);
  data_squares_ = total_of_squares(equations_.data);
}

ChambollePockState ChambollePock::start(const at::Tensor& x, double norm, const CancelToken& cancel) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  const std::vector<int64_t> n = op->domain();
  ChambollePockState s;
  if (x.defined()) {
    ops::require_tensor(x, n, "Chambolle-Pock, start");
    s.x = x.detach().to(data.options().requires_grad(false), false, /*copy=*/true);
    s.ax = op->apply(s.x);
  } else {
    s.x = at::zeros(n, data.options());
    s.ax = at::zeros(op->range(), data.options());
  }
  s.x_bar = s.x.clone();
  s.ax_bar = s.ax.clone();
  s.p = at::zeros(op->range(), data.options());
  s.q = at::zeros({3, n[0], n[1], n[2]}, data.options());
  s.norm = norm > 0 ? norm : norm_bound(*op, data.options(), cancel);
  return s;
}

void ChambollePock::run(ChambollePockState& s, const IterationControl& loop) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  // A zero operator does not change the estimate.
  const double scale = s.norm > 0 ? 1 / s.norm : 0;
  const double slope = gradient_norm_ > 0 ? 1 / gradient_norm_ : 0;
  const double step = 1 / std::sqrt(gradient_norm_ > 0 && scale > 0 ? 2.0 : 1.0);  // tau = sigma = 1 / L
  const double low = spec_.sign == Sign::non_negative ? 0 : -std::numeric_limits<double>::infinity();
  for (int64_t n = 0; n < loop.iterations; ++n) {
    loop.cancel.check();
    // p = (p + sigma (A x_bar - y) / |A|) / (1 + sigma)
    const double share = 1 / (1 + step);
    weighted_sum(s.p, {s.p, share}, {s.ax_bar, share * step * scale}, {data, -share * step * scale});
    ops::tv_dual_step(s.q, s.q, s.x_bar, spec_.weights, step * slope, spec_.lambda * scale * scale * gradient_norm_, 0);
    loop.cancel.check();
    at::Tensor next = op->adjoint(s.p);
    weighted_sum(next, {s.x, 1}, {next, -step * scale});
    ops::tv_primal_step(next, s.q, spec_.weights, step * slope, low);
    loop.cancel.check();
    at::Tensor projected = op->apply(next);
    // theta = 1; the projection of the extrapolation is the extrapolation of the projections.
    weighted_sum(s.x_bar, {next, 2}, {s.x, -1});
    weighted_sum(s.ax_bar, {projected, 2}, {s.ax, -1});
    s.x = next;
    s.ax = projected;
    ++s.iteration;
    if (loop.report) {
      const double squares = total_of_squares(s.ax - data);
      loop.report({s.iteration, relative_residual(squares, data_squares_),
                   0.5 * squares + spec_.lambda * ops::total_variation(s.x, spec_.weights)});
    }
  }
}

}  // namespace tl::solve
