// Checks equations and makes weights, norms and ordered subsets for the iterative solvers.
#include "gpu/solve/solve.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/base/random.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce.h"

namespace tl::solve {
namespace {

// Sums below this fraction of the largest row or column sum count as zero.
constexpr double nothing = 1e-6;

// The number up to `count` / 2 nearest to count over the golden ratio squared that is coprime to count.
int64_t golden_step(int64_t count) {
  constexpr double golden = 0.3819660112501051;
  const auto coprime = [count](int64_t a) {
    int64_t b = count;
    while (b != 0) {
      const int64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a == 1;
  };
  const int64_t wanted = std::max<int64_t>(1, std::llround(golden * static_cast<double>(count)));
  for (int64_t off = 0; off < count; ++off)
    for (const int64_t step : {wanted - off, wanted + off})
      if (step >= 1 && coprime(step)) return step;
  return 1;
}

}  // namespace

at::Tensor positive_inverse(const at::Tensor& x) {
  const at::Tensor safe = x > nothing * extrema(x).max;
  return at::where(safe.logical_and(x > 0), x.reciprocal(), at::zeros({}, x.options()));
}

double operator_norm(const LinearOperator& op, const at::TensorOptions& options, const CancelToken& cancel,
                     int64_t iterations) {
  at::Tensor x = at::empty(op.domain(), at::kDouble);
  double* p = x.mutable_data_ptr<double>();
  const Philox random{1, 31};
  for (int64_t i = 0; i < x.numel(); ++i) p[i] = 0.5 + random.uniform(static_cast<uint64_t>(i));
  x = x.to(options.requires_grad(false));
  double norm = 0;
  for (int64_t k = 0; k < iterations; ++k) {
    cancel.check();
    const double size = std::sqrt(total_of_squares(x));
    if (!(size > 0)) return 0;
    x.div_(size);
    const at::Tensor ax = op.apply(x);
    norm = std::sqrt(total_of_squares(ax));
    if (k + 1 < iterations) x = op.adjoint(ax);
  }
  return norm;
}

double norm_bound(const LinearOperator& op, const at::TensorOptions& options, const CancelToken& cancel) {
  return 1.01 * operator_norm(op, options, cancel);
}

std::vector<std::vector<int64_t>> ordered_subsets(const ScanGeometry& geometry, int64_t count) {
  const int64_t views = geometry.views();
  count = std::clamp<int64_t>(count, 1, std::max<int64_t>(views, 1));
  const std::vector<int64_t> by_angle = angle_order(geometry).views;
  std::vector<std::vector<int64_t>> subsets(static_cast<std::size_t>(count));
  const int64_t step = golden_step(count);
  for (int64_t s = 0, first = 0; s < count; ++s, first = (first + step) % count)
    for (int64_t k = first; k < views; k += count)
      subsets[static_cast<std::size_t>(s)].push_back(by_angle[static_cast<std::size_t>(k)]);
  for (std::vector<int64_t>& subset : subsets) std::sort(subset.begin(), subset.end());
  return subsets;
}

void require_equations(const std::vector<Equations>& equations, const char* where) {
  if (equations.empty()) throw Failure(invalid("there are no equations to solve", where));
  for (const Equations& e : equations) {
    ops::require_tensor(e.data, e.op->range(), std::string(where) + ", data");
    if (e.op->domain() != equations[0].op->domain() || e.data.scalar_type() != equations[0].data.scalar_type())
      throw Failure(invalid("the subsets do not reconstruct the same volume", where));
  }
}

double sum_of_squares(const std::vector<Equations>& equations) {
  double squares = 0;
  for (const Equations& e : equations) squares += total_of_squares(e.data);
  return squares;
}

double relative_residual(double residual_squares, double data_squares) {
  return std::sqrt(data_squares > 0 ? residual_squares / data_squares : residual_squares);
}

}  // namespace tl::solve
