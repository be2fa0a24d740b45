// Scores an image by the entropy of its soft histogram, a linear operator on spline weights.
#include "gpu/objective/entropy.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/reduce.h"
#include "gpu/operator/slab_sum.h"

namespace tl::ops {
namespace {

constexpr int64_t block_length = int64_t{1} << 16;  // affects the last bits: sums are added block by block
constexpr int64_t taps = 4;

// Adds weights [4, n] of values with lowest bins `first` [n] to the bins.
class Spread final : public LinearOperator {
 public:
  Spread(at::Tensor first, int64_t bins, at::ScalarType type) : first_(std::move(first)), bins_(bins), type_(type) {}
  [[nodiscard]] std::string name() const override { return "soft histogram"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {taps, first_.numel()}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {bins_}; }

  [[nodiscard]] at::Tensor apply(const at::Tensor& weights) const override {
    at::Tensor sums = at::zeros({bins_}, at::kDouble);
    if (type_ == at::kFloat)
      spread(weights.const_data_ptr<float>(), sums.mutable_data_ptr<double>());
    else
      spread(weights.const_data_ptr<double>(), sums.mutable_data_ptr<double>());
    return sums;
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& sums) const override {
    const at::Tensor typed = sums.to(type_);
    std::vector<at::Tensor> lines;
    for (int64_t t = 0; t < taps; ++t) lines.push_back(typed.index_select(0, first_ + t));
    return at::stack(lines);
  }

 private:
  template <class T>
  void spread(const T* weights, double* sums) const {
    const int64_t n = first_.numel(), blocks = (n + block_length - 1) / block_length;
    std::vector<double> partial(static_cast<std::size_t>(blocks * bins_), 0.0);
    const int64_t* first = first_.const_data_ptr<int64_t>();
    ops::parallel_for(0, blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        double* own = partial.data() + b * bins_;
        for (int64_t i = b * block_length; i < std::min(n, (b + 1) * block_length); ++i)
          for (int64_t t = 0; t < taps; ++t) own[first[i] + t] += static_cast<double>(weights[t * n + i]);
      }
    });
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t k = 0; k < bins_; ++k) sums[k] += partial[static_cast<std::size_t>(b * bins_ + k)];
  }

  at::Tensor first_;
  int64_t bins_;
  at::ScalarType type_;
};

}  // namespace

at::Tensor soft_histogram(const at::Tensor& x, const at::Tensor& low, const at::Tensor& high, int64_t bins) {
  TL_CHECK(bins >= 4, "a soft histogram needs four bins");
  const at::Tensor flat = x.reshape({-1});
  const at::Tensor scale = static_cast<double>(bins - 1) / (high - low);
  const at::Tensor place = ((flat - low) * scale).clamp(0, static_cast<double>(bins - 1));
  const at::Tensor first = place.detach().floor().clamp_max(static_cast<double>(bins - 2)).nan_to_num(0);
  const at::Tensor f = place - first, rest = 1 - f;
  const at::Tensor weights = at::stack(
      {rest * rest * rest / 6, (f * f * (3 * f - 6) + 4) / 6, (f * (3 + f * (3 - 3 * f)) + 1) / 6, f * f * f / 6});
  const auto op = std::make_shared<Spread>(first.to(at::kLong), bins + 3, weights.scalar_type());
  return tl::apply(op, weights.contiguous()) / static_cast<double>(flat.numel());
}

namespace {

// - sum p log2 p of fractions [bins]. x log x tends to 0 with x.
at::Tensor entropy_of(const at::Tensor& share) {
  const at::Tensor filled = share.detach() > 0;
  const at::Tensor safe = at::where(filled, share, at::ones_like(share));
  return -(safe * safe.log2()).sum();
}

}  // namespace

at::Tensor entropy(const at::Tensor& x, const EntropyParams& params) {
  const at::Tensor mean = differentiable_mean(x), variance = differentiable_variance(x);
  if (!(variance.detach().item<double>() > 0)) return 0 * mean;
  const at::Tensor reach = 4 * variance.sqrt();
  const at::Tensor low = params.low ? at::scalar_tensor(*params.low, at::kDouble) : mean - reach;
  const at::Tensor high = params.high ? at::scalar_tensor(*params.high, at::kDouble) : mean + reach;
  if (x.numel() <= values_at_once()) return entropy_of(soft_histogram(x, low, high, params.bins));
  // For a large image: first the histogram, slab by slab, then the effect of a change of each bin.
  const auto counts = [&](const at::Tensor& slab, const at::Tensor& from, const at::Tensor& to) {
    return soft_histogram(slab, from, to, params.bins) *
           (static_cast<double>(slab.numel()) / static_cast<double>(x.numel()));
  };
  at::Tensor share = at::zeros({params.bins + 3}, at::kDouble);
  const int64_t slices = std::max<int64_t>(1, values_at_once() / (x.numel() / x.size(0)));
  for (int64_t z = 0; z < x.size(0); z += slices)
    share += counts(x.detach().narrow(0, z, std::min(slices, x.size(0) - z)), low.detach(), high.detach());
  share.requires_grad_();
  const at::Tensor value = entropy_of(share);
  value.backward();
  const auto part = [&](const auto& slabs, const auto& ends, Range) {
    return (counts(slabs.front(), ends[0], ends[1]) * share.grad()).sum();
  };
  const at::Tensor changes = slab_sum({{x}, {low, high}, 0, part});
  return changes - changes.detach() + value.detach();
}

}  // namespace tl::ops
