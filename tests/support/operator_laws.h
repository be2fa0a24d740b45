// Laws of all linear operators, and seeded random tensors for testing them.
#pragma once

#include <ATen/ATen.h>

#include "core/base/random.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/reduce.h"
#include "gpu/verify/larger_deviation.h"

namespace tl::test {

// Zero-mean Gaussian numbers of variance 1, the same for every thread count.
inline at::Tensor gaussian(const std::vector<int64_t>& shape, at::ScalarType type, uint64_t seed) {
  at::Tensor x = at::empty(shape, at::kDouble);
  const Philox random{seed, 7};
  for (int64_t i = 0; i < x.numel(); ++i) x.mutable_data_ptr<double>()[i] = random.normal(static_cast<uint64_t>(i));
  return x.to(type);
}

// |<A x, y> - <x, A* y>| / (|A x| |y|) for one pair of Gaussian vectors, sums in double.
inline double adjoint_error(const LinearOperator& op, at::ScalarType type, uint64_t seed) {
  const at::Tensor x = gaussian(op.domain(), type, 2 * seed), y = gaussian(op.range(), type, 2 * seed + 1);
  const at::Tensor ax = op.apply(x), aty = op.adjoint(y);
  return std::abs(inner_product(ax, y) - inner_product(x, aty)) / std::sqrt(total_of_squares(ax) * total_of_squares(y));
}

// The largest of eight seeds.
inline double worst_adjoint_error(const LinearOperator& op, at::ScalarType type) {
  double worst = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) worst = verify::larger_deviation(worst, adjoint_error(op, type, seed));
  return worst;
}

// Largest difference of two tensors.
inline double max_difference(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace tl::test
