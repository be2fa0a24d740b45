// Reconstructs by SIRT and, with ordered subsets, SART and OS-SART.
#include "gpu/solve/sirt.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::solve {

Sirt::Sirt(std::vector<Equations> equations, const SirtSpec& spec, const CancelToken& cancel)
    : equations_(std::move(equations)), spec_(spec) {
  require_equations(equations_, "SIRT");
  if (!(spec.relaxation > 0) || !(spec.relaxation < 2))
    throw Failure(invalid("the relaxation must lie between 0 and 2", "SIRT", "Choose 1"));
  if (spec.low && spec.high && !(*spec.low <= *spec.high))
    throw Failure(invalid("the lower limit is above the upper one", "SIRT"));
  const c10::NoGradGuard no_grad;
  const auto options = equations_[0].data.options();
  at::Tensor sums;
  for (const Equations& e : equations_) {
    cancel.check();
    rows_.push_back(positive_inverse(e.op->apply(at::ones(e.op->domain(), options))));
    const at::Tensor own = e.op->adjoint(at::ones(e.op->range(), options));
    sums = sums.defined() ? at::maximum(sums, own) : own;
  }
  columns_ = positive_inverse(sums).mul_(spec.relaxation);
  data_squares_ = sum_of_squares(equations_);
}

SirtState Sirt::start(const at::Tensor& x) const {
  const std::vector<int64_t> domain = equations_[0].op->domain();
  if (!x.defined()) return {at::zeros(domain, equations_[0].data.options()), 0};
  ops::require_tensor(x, domain, "SIRT, start");
  return {x.detach().to(equations_[0].data.options().requires_grad(false), false, /*copy=*/true), 0};
}

void Sirt::run(SirtState& state, const IterationControl& loop) const {
  const c10::NoGradGuard no_grad;
  for (int64_t n = 0; n < loop.iterations; ++n) {
    double squares = 0, weighted = 0;
    for (std::size_t s = 0; s < equations_.size(); ++s) {
      const Equations& e = equations_[s];
      loop.cancel.check();
      at::Tensor residual = e.op->apply(state.x);
      at::sub_out(residual, e.data, residual);
      if (loop.report) {
        const at::Tensor balanced = residual * rows_[s];
        squares += total_of_squares(residual);
        weighted += inner_product(residual, balanced);
        residual = balanced;
      } else {
        residual.mul_(rows_[s]);
      }
      loop.cancel.check();
      const at::Tensor correction = e.op->adjoint(residual);
      state.x.addcmul_(correction, columns_);
      if (spec_.low || spec_.high) state.x.clamp_(spec_.low, spec_.high);
    }
    ++state.iteration;
    if (loop.report) loop.report({state.iteration, relative_residual(squares, data_squares_), 0.5 * weighted});
  }
}

}  // namespace tl::solve
