// Scores an image against a reference by torch operations, with sums in a fixed order.
#include "gpu/objective/compare.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/error.h"
#include "gpu/operator/reduce.h"
#include "gpu/operator/slab_sum.h"

namespace tl::ops {
namespace {

void require_pair(const at::Tensor& x, const at::Tensor& y) {
  if (x.sizes() != y.sizes())
    throw Failure(invalid("the two have different sizes", "comparison", "Compare images on the same grid"));
  TL_CHECK(x.scalar_type() == y.scalar_type(), "one type for both sides");
}

// Gaussian average of the slices of [z, y, x], only for windows inside.
at::Tensor smooth(const at::Tensor& x, const at::Tensor& window) {
  const int64_t n = window.numel();
  at::Tensor y = x.unsqueeze(1);
  y = at::conv2d(y, window.view({1, 1, n, 1}));
  return at::conv2d(y, window.view({1, 1, 1, n}));
}

// Mean square of the difference of the standardised numbers, not 1 - correlation, which has no digits near 0.
at::Tensor standardised_error(const at::Tensor& x, const at::Tensor& reference) {
  const auto rate = [](const at::Tensor& y) { return at::rsqrt(differentiable_variance(y)); };
  const auto part = [](const auto& slabs, const auto& shared, Range) {
    const auto converted = [&](std::size_t i) { return shared[i].to(slabs[0].device(), slabs[0].scalar_type()); };
    return differentiable_sum_of_squares(
        ((slabs[0] - converted(0)) * converted(1) - (slabs[1] - converted(2)) * converted(3)).contiguous());
  };
  const at::Tensor sum = slab_sum(
      {{x, reference}, {differentiable_mean(x), rate(x), differentiable_mean(reference), rate(reference)}, 0, part});
  return sum / static_cast<double>(x.numel());
}

// Sums for each band along the first three axes, [axis, band].
template <class Total>
at::Tensor by_band(const at::Tensor& each, int64_t bands, const Total& total) {
  TL_CHECK(each.dim() >= 3 && bands > 0, "bands along three axes");
  at::Tensor shares = at::zeros({3, bands}, at::kDouble);
  auto share = shares.accessor<double, 2>();
  for (int64_t axis = 0; axis < 3; ++axis)
    for (int64_t band = 0; band < bands; ++band) {
      const int64_t begin = band * each.size(axis) / bands, end = (band + 1) * each.size(axis) / bands;
      if (end > begin) share[axis][band] = total(each.narrow(axis, begin, end - begin).contiguous());
    }
  return shares;
}

// Entropy of every number, for sums of them.
at::Tensor entropies(const at::Tensor& x, const at::Tensor& target, ScoreMeaning meaning) {
  constexpr double least = 1e-4;
  const at::Tensor t = target.clamp(0, 1);
  if (meaning == ScoreMeaning::logits) return at::softplus(x) - t * x;
  const at::Tensor p = x.clamp(least, 1 - least);
  return -(t * p.log() + (1 - t) * (1 - p).log());
}

}  // namespace

at::Tensor sums_by_band(const at::Tensor& each, int64_t bands) {
  return by_band(each, bands, [](const at::Tensor& part) { return part.sum(at::kDouble).item<double>(); });
}

at::Tensor residual(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale) {
  require_pair(x, reference);
  const at::Tensor a = x.contiguous(), b = reference.contiguous();
  const auto converted = [&](const at::Tensor& y) { return y.to(a.device(), a.scalar_type()); };
  if (scale == ErrorScale::absolute) return a - b;
  if (scale == ErrorScale::relative)
    return (a - b) * converted(at::rsqrt(differentiable_sum_of_squares(b) / static_cast<double>(b.numel())));
  const auto standardised = [&](const at::Tensor& y) {
    return (y - converted(differentiable_mean(y))) * converted(at::rsqrt(differentiable_variance(y)));
  };
  return standardised(a) - standardised(b);
}

at::Tensor squared_error_by_band(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale, int64_t bands) {
  const at::Tensor off = residual(x.detach(), reference.detach(), scale);
  return by_band(off, bands, [](const at::Tensor& part) { return total_of_squares(part); }) /
         static_cast<double>(x.numel());
}

at::Tensor mean_squared_error(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale) {
  require_pair(x, reference);
  if (scale == ErrorScale::scaled) return standardised_error(x, reference);
  const auto part = [](const auto& slabs, const auto&, Range) {
    return differentiable_sum_of_squares(slabs[0] - slabs[1]);
  };
  const at::Tensor error = slab_sum({{x, reference}, {}, 0, part});
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
  const auto part = [&window](const auto& slabs, const auto& shared, Range) {
    const at::Tensor &p = slabs[0], &q = slabs[1], &a = shared[0], &b = shared[1];
    const at::Tensor mp = smooth(p, window), mq = smooth(q, window);
    const at::Tensor vp = smooth(p * p, window) - mp * mp, vq = smooth(q * q, window) - mq * mq;
    const at::Tensor both = smooth(p * q, window) - mp * mq;
    const at::Tensor similarity = ((2 * mp * mq + a) * (2 * both + b)) / ((mp * mp + mq * mq + a) * (vp + vq + b));
    return differentiable_sum(similarity.contiguous());
  };
  const int64_t windows = x.size(0) * (x.size(1) - 2 * radius) * (x.size(2) - 2 * radius);
  return 1 - slab_sum({{x, reference}, {c1, c2}, 0, part}) / static_cast<double>(windows);
}

at::Tensor cross_entropy(const at::Tensor& x, const at::Tensor& target, ScoreMeaning meaning) {
  require_pair(x, target);
  const auto part = [meaning](const auto& slabs, const auto&, Range) {
    return differentiable_sum(entropies(slabs[0], slabs[1], meaning));
  };
  return slab_sum({{x, target}, {}, 0, part}) / static_cast<double>(x.numel());
}

at::Tensor cross_entropy_by_band(const at::Tensor& x, const at::Tensor& target, ScoreMeaning meaning, int64_t bands) {
  require_pair(x, target);
  return sums_by_band(entropies(x.detach(), target.detach(), meaning), bands) / static_cast<double>(x.numel());
}

}  // namespace tl::ops
