// Reconstructs by CGLS: conjugate gradients on the normal equations.
#include "gpu/solve/cgls.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::solve {
namespace {

// a / b if b is positive, otherwise 0.
at::Tensor quotient(const at::Tensor& a, const at::Tensor& b) {
  return at::where(b > 0, a / b, at::zeros({}, a.options()));
}

// Sum of squares of every detector row over all views, in double; each thread owns rows.
template <class T>
void row_squares(const at::Tensor& y, double* sums) {
  const T* p = y.const_data_ptr<T>();
  const int64_t views = y.size(0), rows = y.size(1), cols = y.size(2);
  ops::parallel_for(0, rows, 1, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      double sum = 0;
      for (int64_t view = 0; view < views; ++view) {
        const T* line = p + (view * rows + row) * cols;
        double part = 0;
        for (int64_t c = 0; c < cols; ++c) part += static_cast<double>(line[c]) * static_cast<double>(line[c]);
        sum += part;
      }
      sums[row] = sum;
    }
  });
}

}  // namespace

Cgls::Cgls(Equations equations, Coupling coupling) : equations_(std::move(equations)), coupling_(coupling) {
  require_equations({equations_}, "CGLS");
  if (coupling == Coupling::by_slice) {
    const std::vector<int64_t> x = equations_.op->domain(), y = equations_.op->range();
    if (x.size() != 3 || y.size() != 3 || x[0] != y[1])
      throw Failure(invalid("the number of slices differs from that of detector rows", "CGLS"));
  }
  data_squares_ = total_of_squares(equations_.data);
}

at::Tensor Cgls::volume_squares(const at::Tensor& x) const {
  if (coupling_ == Coupling::joint) return at::scalar_tensor(total_of_squares(x), at::kDouble);
  at::Tensor sums = at::empty({x.size(0)}, at::kDouble);
  for (int64_t k = 0; k < x.size(0); ++k) sums.mutable_data_ptr<double>()[k] = total_of_squares(x.select(0, k));
  return sums;
}

at::Tensor Cgls::data_squares(const at::Tensor& y) const {
  if (coupling_ == Coupling::joint) return at::scalar_tensor(total_of_squares(y), at::kDouble);
  at::Tensor sums = at::empty({y.size(1)}, at::kDouble);
  if (y.device().is_cpu())
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "row_squares",
                               [&] { row_squares<scalar_t>(y, sums.mutable_data_ptr<double>()); });
  else
    for (int64_t r = 0; r < y.size(1); ++r) sums.mutable_data_ptr<double>()[r] = total_of_squares(y.select(1, r));
  return sums.flip(0);
}

at::Tensor Cgls::broadcast_to_volume(const at::Tensor& factors) const {
  const at::Tensor f = factors.to(equations_.data.options());
  return coupling_ == Coupling::joint ? f : f.view({-1, 1, 1});
}

at::Tensor Cgls::broadcast_to_data(const at::Tensor& factors) const {
  const at::Tensor f = factors.to(equations_.data.options());
  return coupling_ == Coupling::joint ? f : f.flip(0).view({1, -1, 1});
}

CglsState Cgls::start(const at::Tensor& x) const {
  const c10::NoGradGuard no_grad;
  const auto& [op, data] = equations_;
  CglsState state;
  if (x.defined()) {
    ops::require_tensor(x, op->domain(), "CGLS, start");
    state.x = x.detach().to(data.options().requires_grad(false), false, /*copy=*/true);
    state.residual = op->apply(state.x);
    at::sub_out(state.residual, data, state.residual);
  } else {
    state.x = at::zeros(op->domain(), data.options());
    state.residual = data.clone();
  }
  state.direction = op->adjoint(state.residual);
  state.gamma = volume_squares(state.direction);
  return state;
}

void Cgls::run(CglsState& state, const IterationControl& loop) const {
  const c10::NoGradGuard no_grad;
  for (int64_t n = 0; n < loop.iterations; ++n) {
    loop.cancel.check();
    const at::Tensor q = equations_.op->apply(state.direction);
    // If the data do not depend on the direction there is nothing left to improve: the step is 0.
    const at::Tensor alpha = quotient(state.gamma, data_squares(q));
    state.x.addcmul_(state.direction, broadcast_to_volume(alpha));
    state.residual.addcmul_(q, broadcast_to_data(alpha), -1);
    loop.cancel.check();
    const at::Tensor gradient = equations_.op->adjoint(state.residual);
    const at::Tensor gamma = volume_squares(gradient);
    state.direction.mul_(broadcast_to_volume(quotient(gamma, state.gamma))).add_(gradient);
    state.gamma = gamma;
    ++state.iteration;
    if (loop.report) {
      const double squares = total_of_squares(state.residual);
      loop.report({state.iteration, relative_residual(squares, data_squares_), 0.5 * squares});
    }
  }
}

}  // namespace tl::solve
