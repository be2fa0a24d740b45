// Comparisons of two images with torch's operations and sums in a fixed order.
#include "gpu/ops/objective_compare.h"

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "gpu/reduce.h"

namespace tl::ops {
namespace {

void require_pair(const at::Tensor& x, const at::Tensor& y) {
  if (x.sizes() != y.sizes())
    throw Failure(invalid("the two have different sizes", "comparison", "Compare what lies on the same grid"));
  TL_CHECK(x.scalar_type() == y.scalar_type(), "one type for both sides");
}

// Gaussian windows of [z, y, x], where they lie inside.
at::Tensor smooth(const at::Tensor& x, const at::Tensor& window) {
  const int64_t n = window.numel();
  at::Tensor y = x.unsqueeze(1);
  y = at::conv2d(y, window.view({1, 1, n, 1}));
  return at::conv2d(y, window.view({1, 1, 1, n}));
}

}  // namespace

at::Tensor mean_squared_error(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale) {
  require_pair(x, reference);
  const at::Tensor error = differentiable_sum_of_squares(x - reference);
  if (scale == ErrorScale::absolute) return error / static_cast<double>(x.numel());
  return error / differentiable_sum_of_squares(reference);
}

at::Tensor structural_dissimilarity(const at::Tensor& x, const at::Tensor& reference, int64_t radius) {
  require_pair(x, reference);
  TL_CHECK(x.dim() == 3 && x.size(1) > 2 * radius && x.size(2) > 2 * radius, "windows fit into the slices");
  constexpr double sigma = 1.5, k1 = 0.01, k2 = 0.03;
  const at::Tensor place = at::arange(-radius, radius + 1, x.options().requires_grad(false));
  at::Tensor window = at::exp(-place * place / (2 * sigma * sigma));
  window = window / window.sum();
  const at::Tensor range = reference.max() - reference.min();
  const at::Tensor c1 = (k1 * range).square(), c2 = (k2 * range).square();
  const at::Tensor mx = smooth(x, window), my = smooth(reference, window);
  const at::Tensor vx = smooth(x * x, window) - mx * mx, vy = smooth(reference * reference, window) - my * my;
  const at::Tensor both = smooth(x * reference, window) - mx * my;
  const at::Tensor similarity = ((2 * mx * my + c1) * (2 * both + c2)) / ((mx * mx + my * my + c1) * (vx + vy + c2));
  return 1 - differentiable_mean(similarity.contiguous());
}

at::Tensor cross_entropy(const at::Tensor& x, const at::Tensor& target, ScoreMeaning meaning) {
  require_pair(x, target);
  constexpr double least = 1e-4;
  const at::Tensor t = target.clamp(0, 1);
  if (meaning == ScoreMeaning::logits) return differentiable_mean(at::softplus(x) - t * x);
  const at::Tensor p = x.clamp(least, 1 - least);
  return -differentiable_mean(t * p.log() + (1 - t) * (1 - p).log());
}

}  // namespace tl::ops
