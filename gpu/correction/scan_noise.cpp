// Estimates the noise of a scan from medians of differences between neighbouring pixels.
#include "gpu/correction/scan_noise.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace tl::ops {
namespace {

// Number of differences that suffice for an accurate median.
constexpr int64_t enough = 1 << 18;

double median_size(const at::Tensor& differences) {
  at::Tensor flat = differences.reshape({-1});
  const int64_t stride = std::max<int64_t>(1, flat.numel() / enough);
  flat = flat.slice(0, 0, flat.numel(), stride).abs();
  flat = flat.masked_select(flat.isfinite());
  return flat.numel() == 0 ? 0 : 1.4826 * flat.median().item<double>();
}

// Level from third differences along the last axis, normalized to unit variance for noise of variance `scale`.
double along_columns(const at::Tensor& x, const at::Tensor& scale) {
  const int64_t n = x.size(-1);
  if (n < 8) return -1;
  const auto at = [&](const at::Tensor& t, int64_t shift) { return t.narrow(-1, shift, n - 3); };
  const at::Tensor d = at(x, 0) - 3 * at(x, 1) + 3 * at(x, 2) - at(x, 3);
  const at::Tensor s = at(scale, 0) + 9 * at(scale, 1) + 9 * at(scale, 2) + at(scale, 3);
  return median_size(d / s.sqrt());
}

double along_columns_and_views(const at::Tensor& x, const at::Tensor& scale) {
  if (x.size(0) < 4 || x.size(-1) < 8) return -1;
  const auto mixed = [](const at::Tensor& t, double sign) {
    const at::Tensor a = t.narrow(0, 0, t.size(0) - 1), b = t.narrow(0, 1, t.size(0) - 1);
    const at::Tensor both = a + sign * b;
    return both.narrow(-1, 0, both.size(-1) - 1) + sign * both.narrow(-1, 1, both.size(-1) - 1);
  };
  return median_size(mixed(x, -1) / mixed(scale, 1).sqrt());
}

}  // namespace

double independent_noise_level(const at::Tensor& x, const at::Tensor& shape) {
  const double one = along_columns(x, shape), two = along_columns_and_views(x, shape);
  return one < 0 ? std::max(two, 0.0) : two < 0 ? one : std::min(one, two);
}

double shared_noise_variance(const at::Tensor& x, const at::Tensor& variance) {
  if (x.size(0) < 8) return 0;
  // Noise of the mean relative to that expected from independent noise alone.
  const at::Tensor expected = variance.mean(0) / static_cast<double>(x.size(0));
  const double excess = along_columns(x.mean(0), expected.clamp_min(1e-30));
  const double own = expected.mean().item<double>();
  return excess > 1 ? (excess * excess - 1) * own : 0;
}

}  // namespace tl::ops
