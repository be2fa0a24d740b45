// Robust estimates of white noise.
#include "core/learn/noise.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace tl::learn {
namespace {

// Of so many differences a median is as good as it needs to be.
constexpr int64_t enough = 1 << 18;

double median_size(const at::Tensor& differences) {
  at::Tensor flat = differences.reshape({-1});
  const int64_t stride = std::max<int64_t>(1, flat.numel() / enough);
  flat = flat.slice(0, 0, flat.numel(), stride).abs();
  flat = flat.masked_select(flat.isfinite());
  return flat.numel() == 0 ? 0 : 1.4826 * flat.median().item<double>();
}

// Third differences along the last axis, of unit variance for white noise of unit variance; scaled pixel by pixel.
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

at::Tensor noise_variance(const Value& value) {
  at::Tensor x, shape;
  if (const auto* p = std::get_if<Projections>(&value)) {
    x = p->data.detach();
    shape = p->kind == PixelKind::absorption  ? x.clamp(-20, 20).exp()
            : p->kind == PixelKind::thickness ? at::ones_like(x)
                                              : x.clamp_min(1e-6);
  } else if (const auto* v = std::get_if<Volume>(&value)) {
    x = v->data.detach();
    shape = at::ones_like(x);
  } else {
    return {};
  }
  const double one = along_columns(x, shape), two = along_columns_and_views(x, shape);
  const double sigma = one < 0 ? std::max(two, 0.0) : two < 0 ? one : std::min(one, two);
  return shape * (sigma * sigma);
}

double stripe_variance(const Value& value, const at::Tensor& variance) {
  const auto* scan = std::get_if<Projections>(&value);
  if (scan == nullptr || !variance.defined() || scan->data.size(0) < 8) return 0;
  const at::Tensor mean = scan->data.detach().mean(0);
  // Of the mean, in units of what its independent part should be.
  const at::Tensor expected = variance.mean(0) / static_cast<double>(scan->data.size(0));
  const double excess = along_columns(mean, expected.clamp_min(1e-30));
  const double own = expected.mean().item<double>();
  return excess > 1 ? (excess * excess - 1) * own : 0;
}

namespace {

// Box and Muller.
at::Tensor normal(at::IntArrayRef shape, uint64_t seed, uint64_t stream) {
  const Philox random{seed, stream};
  at::Tensor out = at::empty(shape, at::kDouble);
  double* data = out.mutable_data_ptr<double>();
  for (int64_t i = 0; i < out.numel(); i += 2) {
    const double r = std::sqrt(-2 * std::log(random.uniform(static_cast<uint64_t>(i))));
    const double angle = 2 * pi * random.uniform(static_cast<uint64_t>(i) + 1);
    data[i] = r * std::cos(angle);
    if (i + 1 < out.numel()) data[i + 1] = r * std::sin(angle);
  }
  return out;
}

}  // namespace

at::Tensor noise_sample(const at::Tensor& variance, double stripes, uint64_t seed, uint64_t stream) {
  at::Tensor own = normal(variance.sizes(), seed, stream).to(variance.scalar_type()) * variance.sqrt();
  if (!(stripes > 0)) return own;
  const at::Tensor shared = normal(variance.sizes().slice(1), seed, stream ^ 0x5171'0000) * std::sqrt(stripes);
  return own + shared.to(variance.scalar_type());
}

Noise noise_of(const std::vector<Value>& values) {
  Noise noise;
  for (const Value& v : values) {
    noise.variance.push_back(noise_variance(v));
    noise.stripes.push_back(stripe_variance(v, noise.variance.back()));
  }
  return noise;
}

std::vector<at::Tensor> draw(const Noise& noise, uint64_t seed, uint64_t stream) {
  std::vector<at::Tensor> drawn;
  for (std::size_t i = 0; i < noise.variance.size(); ++i) {
    const at::Tensor& variance = noise.variance[i];
    drawn.push_back(variance.defined() ? noise_sample(variance, noise.stripes[i], seed + i, stream) : at::Tensor());
  }
  return drawn;
}

std::vector<at::Tensor> negated(std::vector<at::Tensor> drawn) {
  for (at::Tensor& t : drawn)
    if (t.defined()) t = -t;
  return drawn;
}

}  // namespace tl::learn
