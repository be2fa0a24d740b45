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
namespace {

// The ramp of the dual steps over |f| in cycles per column, and the share of the data in the primal step.
constexpr double ramp_floor = 0.02, ramp_slope = 2, data_share = 0.5;

at::Tensor dual_ramp(int64_t cols, const at::TensorOptions& options) {
  const at::Tensor f = at::arange(cols / 2 + 1, at::kDouble) / static_cast<double>(cols);
  return (ramp_floor + ramp_slope * f).to(options.requires_grad(false));
}

class RampAfter final : public LinearOperator {
 public:
  RampAfter(OperatorPtr op, const at::TensorOptions& options)
      : op_(std::move(op)), response_(dual_ramp(op_->range().back(), options).sqrt()) {}
  [[nodiscard]] std::string name() const override { return op_->name() + " with a ramp"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return op_->domain(); }
  [[nodiscard]] std::vector<int64_t> range() const override { return op_->range(); }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override { return filtered_rows(op_->apply(x), response_); }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    return op_->adjoint(filtered_rows(y, response_));
  }

 private:
  OperatorPtr op_;
  at::Tensor response_;
};

}  // namespace

at::Tensor filtered_rows(const at::Tensor& p, const at::Tensor& response) {
  return at::fft_irfft(at::fft_rfft(p) * response, p.size(-1)).contiguous();
}

OperatorPtr filtered_operator(OperatorPtr op, const at::TensorOptions& options) {
  return std::make_shared<RampAfter>(std::move(op), options);
}

PrimalDualFactors primal_dual_factors(const TvSpec& spec, const std::array<int64_t, 3>& volume, int64_t cols,
                                      const at::TensorOptions& options, double norm, double filtered_norm) {
  const double gradient_norm = ops::gradient_norm(volume, spec.weights);
  PrimalDualFactors f;
  f.low = spec.sign == Sign::non_negative ? 0 : -std::numeric_limits<double>::infinity();
  if (spec.steps == DualSteps::filtered && filtered_norm > 0) {
    f.response = 1 / (1 + dual_ramp(cols, options));
    const bool smooth = gradient_norm > 0;
    const double data = filtered_norm * filtered_norm, share = smooth ? data_share : 1;
    f.primal_data = f.primal_gradient = share / data;
    f.dual = smooth ? (1 - share) / (f.primal_gradient * gradient_norm * gradient_norm) : 0;
    f.radius = 1;
    return f;
  }
  // A zero operator does not change the estimate.
  const double scale = norm > 0 ? 1 / norm : 0;
  const double slope = gradient_norm > 0 ? 1 / gradient_norm : 0;
  const double step = 1 / std::sqrt(gradient_norm > 0 && scale > 0 ? 2.0 : 1.0);  // tau = sigma = 1 / L
  f.keep = 1 / (1 + step);
  f.add = f.keep * step * scale;
  f.dual = f.primal_gradient = step * slope;
  f.radius = scale * scale * gradient_norm;
  f.primal_data = step * scale;
  return f;
}

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
  data_squares_ = total_of_squares(equations_.data);
}

ChambollePockState ChambollePock::start(const at::Tensor& x, double norm, const CancelToken& cancel,
                                        double filtered_norm) const {
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
  if (spec_.steps == DualSteps::filtered)
    s.filtered_norm =
        filtered_norm > 0 ? filtered_norm : norm_bound(*filtered_operator(op, data.options()), data.options(), cancel);
  return s;
}

void ChambollePock::run(ChambollePockState& s, const IterationControl& loop) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  const std::vector<int64_t> n3 = op->domain();
  const PrimalDualFactors f =
      primal_dual_factors(spec_, {n3[0], n3[1], n3[2]}, op->range().back(), data.options(), s.norm, s.filtered_norm);
  for (int64_t n = 0; n < loop.iterations; ++n) {
    loop.cancel.check();
    if (f.response.defined()) {
      weighted_sum(s.ax_bar, {s.ax_bar, 1}, {data, -1});
      weighted_sum(s.p, {s.p, 1}, {s.ax_bar, -1});
      const at::Tensor kept = filtered_rows(s.p, f.response);
      weighted_sum(s.p, {s.ax_bar, 1}, {kept, 1});
    } else {
      weighted_sum(s.p, {s.p, f.keep}, {s.ax_bar, f.add}, {data, -f.add});
    }
    ops::tv_dual_step(s.q, s.q, s.x_bar, spec_.weights, f.dual, spec_.lambda * f.radius, 0);
    loop.cancel.check();
    at::Tensor next = op->adjoint(s.p);
    weighted_sum(next, {s.x, 1}, {next, -f.primal_data});
    ops::tv_primal_step(next, s.q, spec_.weights, f.primal_gradient, f.low);
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
