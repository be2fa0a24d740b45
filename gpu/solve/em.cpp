// Reconstructs by ML-EM and OS-EM: expectation maximisation for Poisson data.
#include "gpu/solve/em.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::solve {
namespace {

// Sum of y ln(y / q) - y + q over the rays that meet a voxel; `ratio` is y / q for these and 0 elsewhere.
double divergence(const at::Tensor& y, const at::Tensor& q, const at::Tensor& ratio) {
  return total(at::where(q > 0, at::xlogy(y, ratio).add_(q).sub_(y), at::zeros({}, y.options())));
}

}  // namespace

Em::Em(std::vector<Equations> equations, const CancelToken& cancel) : equations_(std::move(equations)) {
  require_equations(equations_, "ML-EM");
  const c10::NoGradGuard no_grad;
  for (Equations& e : equations_) {
    cancel.check();
    if (extrema(e.data).min < 0) e.data = e.data.clamp_min(0);
    const at::Tensor sums = e.op->adjoint(at::ones(e.op->range(), e.data.options()));
    inverse_sums_.push_back(positive_inverse(sums));
    const at::Tensor unobserved = inverse_sums_.back().le(0).to(sums.scalar_type());
    unobserved_.push_back(total(unobserved) > 0 ? unobserved : at::Tensor());
    observed_ = observed_.defined() ? at::maximum(observed_, 1 - unobserved) : 1 - unobserved;
  }
  data_squares_ = sum_of_squares(equations_);
}

EmState Em::start(const at::Tensor& x) const {
  const auto options = equations_[0].data.options();
  if (!x.defined()) return {observed_.clone(), 0};
  ops::require_tensor(x, equations_[0].op->domain(), "ML-EM, start");
  return {x.detach().to(options.dtype()).clamp_min(0).mul_(observed_), 0};
}

void Em::run(EmState& state, const IterationControl& loop) const {
  const c10::NoGradGuard no_grad;
  for (int64_t n = 0; n < loop.iterations; ++n) {
    double squares = 0, objective = 0;
    for (std::size_t s = 0; s < equations_.size(); ++s) {
      const Equations& e = equations_[s];
      loop.cancel.check();
      const at::Tensor projected = e.op->apply(state.x);
      at::Tensor ratio = at::div(e.data, projected);
      ratio.masked_fill_(projected.le(0), 0);
      if (loop.report) {
        squares += total_of_squares(e.data - projected);
        objective += divergence(e.data, projected, ratio);
      }
      loop.cancel.check();
      at::Tensor factor = e.op->adjoint(ratio).mul_(inverse_sums_[s]);
      if (unobserved_[s].defined()) factor.add_(unobserved_[s]);
      state.x.mul_(factor);
    }
    ++state.iteration;
    if (loop.report) loop.report({state.iteration, relative_residual(squares, data_squares_), objective});
  }
}

}  // namespace tl::solve
