// Refines a direct reconstruction iteratively: projects the estimate, reconstructs the residual, adds it.
#include "gpu/solve/refine.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::solve {

Refine::Refine(Equations equations, DirectReconstruction direct, const RefineSpec& spec)
    : equations_(std::move(equations)), direct_(std::move(direct)), spec_(spec) {
  require_equations({equations_}, "iterative refinement");
  if (!(spec.relaxation > 0) || !(spec.relaxation < 2))
    throw Failure(invalid("the relaxation must lie between 0 and 2", "iterative refinement", "Choose 1"));
  data_squares_ = total_of_squares(equations_.data);
}

RefineState Refine::start(const at::Tensor& x) const {
  if (!x.defined()) return {at::zeros(equations_.op->domain(), equations_.data.options()), 0};
  ops::require_tensor(x, equations_.op->domain(), "iterative refinement, start");
  return {x.detach().to(equations_.data.scalar_type(), false, /*copy=*/true), 0};
}

void Refine::run(RefineState& state, const IterationControl& loop) const {
  const c10::NoGradGuard no_grad;
  for (int64_t n = 0; n < loop.iterations; ++n) {
    loop.cancel.check();
    at::Tensor residual = equations_.op->apply(state.x);
    at::sub_out(residual, equations_.data, residual);
    const double squares = loop.report ? total_of_squares(residual) : 0;
    loop.cancel.check();
    state.x.add_(direct_(residual), spec_.relaxation);
    if (spec_.low) state.x.clamp_min_(*spec_.low);
    ++state.iteration;
    if (loop.report) loop.report({state.iteration, relative_residual(squares, data_squares_), 0.5 * squares});
  }
}

}  // namespace tl::solve
