// Writes Chambolle and Pock's method and FISTA-TV in differentiable operations.
#include "gpu/solve/tv_derivative.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <limits>

#include "gpu/operator/iterations.h"
#include "gpu/solve/masked_operator.h"

namespace tl::solve {
namespace {

using Tensors = Iterations::Tensors;

// Indices of the inputs of the iterations.
constexpr std::size_t of_data = 0, of_lambda = 1, of_start = 2, of_vectors = 3;

Tensors inputs_of(const DifferentiableTv& t) { return {t.data, t.lambda, t.start, t.vectors}; }

std::array<int64_t, 3> volume_of(const DifferentiableTv& t) {
  const std::vector<int64_t> n = t.op->domain();
  return {n[0], n[1], n[2]};
}

// A number in the type and on the device of pixels.
at::Tensor like(const at::Tensor& number, const at::Tensor& pixels) {
  return number.to(pixels.device(), pixels.scalar_type());
}

// Vectors along the first dimension, shortened to length <= radius.
at::Tensor shortened(const at::Tensor& v, const at::Tensor& radius) {
  const at::Tensor squares = (v * v).sum(0, /*keepdim=*/true), r = like(radius, v);
  const at::Tensor longer = squares.detach() > (r * r).detach();
  const at::Tensor safe = at::where(longer, squares, at::ones({}, squares.options()));
  return v * at::where(longer, r * safe.rsqrt(), at::ones({}, squares.options()));
}

at::Tensor not_below(const at::Tensor& x, double low) { return std::isfinite(low) ? x.clamp_min(low) : x; }

// A with the mask, on the geometry of `vectors`.
class Projection {
 public:
  explicit Projection(const DifferentiableTv& t) : op_(t.op), present_(t.present) {}
  [[nodiscard]] at::Tensor of(const at::Tensor& x, const at::Tensor& vectors) const {
    const at::Tensor ax = tl::apply(op_, x, vectors);
    return present_.defined() ? ax * present_.to(ax.scalar_type()) : ax;
  }
  [[nodiscard]] at::Tensor transposed(const at::Tensor& p, const at::Tensor& vectors) const {
    return tl::adjoint(op_, present_.defined() ? p * present_.to(p.scalar_type()) : p, vectors);
  }

 private:
  OperatorPtr op_;
  at::Tensor present_;
};

at::Tensor started(const Tensors& in, const std::vector<int64_t>& domain) {
  return in[of_start].defined() ? in[of_start] : at::zeros(domain, in[of_data].options().requires_grad(false));
}

}  // namespace

at::Tensor chambolle_pock(const DifferentiableTv& task, const TvSpec& spec) {
  const std::array<int64_t, 3> n = volume_of(task);
  const std::vector<int64_t> domain = task.op->domain(), range = task.op->range();
  const PrimalDualFactors f =
      primal_dual_factors(spec, n, range.back(), task.data.options(), task.norm, task.filtered_norm);
  const OperatorPtr differences = ops::make_gradient(n, spec.weights).or_throw();
  const Projection a(task);
  Iterations it;
  it.count = task.iterations;
  it.begin = [domain, range, n](const Tensors& in) -> Tensors {
    const at::Tensor x = started(in, domain);
    const auto options = in[of_data].options().requires_grad(false);
    return {x, x, at::zeros(range, options), at::zeros({3, n[0], n[1], n[2]}, options)};
  };
  it.step = [f, differences, a, cancel = task.cancel](const Tensors& s, const Tensors& in, int64_t) -> Tensors {
    cancel.check();
    const at::Tensor &x = s[0], &x_bar = s[1], &vectors = in[of_vectors];
    const at::Tensor residual = a.of(x_bar, vectors) - in[of_data];
    const at::Tensor p =
        f.response.defined() ? residual + filtered_rows(s[2] - residual, f.response) : s[2] * f.keep + residual * f.add;
    const at::Tensor q = shortened(at::add(s[3], tl::apply(differences, x_bar), f.dual), in[of_lambda] * f.radius);
    const at::Tensor moved = at::sub(x, a.transposed(p, vectors), f.primal_data);
    const at::Tensor next = not_below(at::sub(moved, tl::adjoint(differences, q), f.primal_gradient), f.low);
    return {next, at::sub(next * 2, x), p, q};
  };
  return iterate(it, inputs_of(task));
}

at::Tensor fista_tv(const DifferentiableTv& task, const FistaSpec& spec) {
  std::vector<FistaStep> course;
  {
    const c10::NoGradGuard quiet;
    FistaSpec plain = spec;
    plain.tv.lambda = task.lambda.detach().item<double>();
    const OperatorPtr op = task.present.defined() ? masked_operator(task.op, task.present) : task.op;
    const FistaTv solver({op, task.data.detach()}, plain);
    FistaState state = solver.start(task.start.defined() ? task.start.detach() : at::Tensor(), task.norm, task.cancel);
    solver.run(state, {task.iterations, task.cancel, {}}, &course);
  }
  const std::array<int64_t, 3> n = volume_of(task);
  const std::vector<int64_t> domain = task.op->domain();
  const double lipschitz = task.norm * task.norm, slope = ops::gradient_norm(n, spec.tv.weights);
  const double low = spec.tv.sign == Sign::non_negative ? 0 : -std::numeric_limits<double>::infinity();
  const OperatorPtr differences = ops::make_gradient(n, spec.tv.weights).or_throw();
  const std::vector<double> momenta = ops::denoising_momenta(spec.denoising);
  const Projection a(task);
  Iterations it;
  it.count = task.iterations;
  it.begin = [domain, n](const Tensors& in) -> Tensors {
    const at::Tensor x = started(in, domain);
    return {x, x, at::zeros({3, n[0], n[1], n[2]}, in[of_data].options().requires_grad(false))};
  };
  it.step = [=, cancel = task.cancel](const Tensors& s, const Tensors& in, int64_t number) -> Tensors {
    cancel.check();
    const FistaStep& did = course[static_cast<std::size_t>(number)];
    const at::Tensor extrapolated = s[0] * (1 + did.momentum) - s[1] * did.momentum;
    const at::Tensor residual = a.of(extrapolated, in[of_vectors]) - in[of_data];
    const double length = lipschitz > 0 ? 1 / lipschitz : 0;
    const at::Tensor point = at::sub(extrapolated, a.transposed(residual, in[of_vectors]), length);
    if (did.denoising == 0) return {did.taken ? not_below(point, low) : s[0], s[0], s[2]};
    const at::Tensor strength = like(in[of_lambda] * length, point);
    const at::Tensor dual_step = 1 / (strength * (slope * slope)), one = at::ones({}, point.options());
    const auto denoised = [&](const at::Tensor& dual) {
      return not_below(point - strength * tl::adjoint(differences, dual), low);
    };
    at::Tensor dual = s[2], ahead = s[2];
    for (int64_t k = 0; k < did.denoising; ++k) {
      const at::Tensor before = dual;
      dual = shortened(ahead + dual_step * tl::apply(differences, denoised(ahead)), one);
      const double momentum = momenta[static_cast<std::size_t>(k)];
      ahead = momentum > 0 ? dual + momentum * (dual - before) : dual;
    }
    // After a rejected step the momentum is 0.
    return {did.taken ? denoised(dual) : s[0], s[0], dual};
  };
  return iterate(it, inputs_of(task));
}

}  // namespace tl::solve
