// Estimates the white noise of measured data robustly, and draws noise like it.
#include "core/learn/verdict/noise.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/base/random.h"
#include "gpu/correction/scan_noise.h"
#include "gpu/device/parallel_for.h"

namespace tl::learn {

at::Tensor noise_variance(const Value& value) {
  at::Tensor x, shape, by_angle;
  if (const auto* p = std::get_if<Projections>(&value)) {
    // Neighbours in angle: those in time may differ by more than noise.
    const std::vector<int64_t> views = angle_order(p->geometry).views;
    if (!std::is_sorted(views.begin(), views.end())) by_angle = at::tensor(views, at::kLong).to(p->data.device());
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
  const double level = by_angle.defined()
                           ? ops::independent_noise_level(x.index_select(0, by_angle), shape.index_select(0, by_angle))
                           : ops::independent_noise_level(x, shape);
  return shape * (level * level);
}

double stripe_variance(const Value& value, const at::Tensor& variance) {
  const auto* scan = std::get_if<Projections>(&value);
  return scan == nullptr || !variance.defined() ? 0 : ops::shared_noise_variance(scan->data.detach(), variance);
}

namespace {

// Box and Muller.
template <class T>
at::Tensor normal(at::IntArrayRef shape, const Philox& random) {
  at::Tensor out = at::empty(shape, c10::CppTypeToScalarType<T>::value);
  T* data = out.mutable_data_ptr<T>();
  const int64_t size = out.numel();
  ops::parallel_for(0, (size + 1) / 2, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = 2 * begin; i < std::min(2 * end, size); i += 2) {
      const double r = std::sqrt(-2 * std::log(random.uniform(static_cast<uint64_t>(i))));
      const double angle = 2 * pi * random.uniform(static_cast<uint64_t>(i) + 1);
      data[i] = static_cast<T>(r * std::cos(angle));
      if (i + 1 < size) data[i + 1] = static_cast<T>(r * std::sin(angle));
    }
  });
  return out;
}
at::Tensor normal(at::IntArrayRef shape, at::ScalarType type, const Philox& random) {
  return type == at::kFloat ? normal<float>(shape, random) : normal<double>(shape, random);
}

}  // namespace

at::Tensor noise_sample(const at::Tensor& variance, double stripes, uint64_t seed, uint64_t stream) {
  at::Tensor own = variance.sqrt().mul_(normal(variance.sizes(), variance.scalar_type(), {seed, stream}));
  if (!(stripes > 0)) return own;
  const at::Tensor shared = normal(variance.sizes().slice(1), at::kDouble, {seed, stream ^ 0x5171'0000});
  return own.add_((shared * std::sqrt(stripes)).to(variance.scalar_type()));
}

Noise estimate_noise(const std::vector<Value>& values) {
  Noise noise;
  for (const Value& v : values) {
    noise.variance.push_back(noise_variance(v));
    noise.stripes.push_back(stripe_variance(v, noise.variance.back()));
  }
  return noise;
}

std::vector<at::Tensor> draw_noise(const Noise& noise, uint64_t seed, uint64_t stream) {
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
