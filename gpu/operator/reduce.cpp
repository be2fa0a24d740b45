// Sums tensors over fixed blocks in double precision, and makes the sums differentiable by a linear operator.
#include "gpu/operator/reduce.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/error.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/reduce_math.h"
#include "gpu/operator/slab_sum.h"

namespace tl {
namespace {

constexpr int64_t blocks_per_task = 16;

at::Tensor prepared(const at::Tensor& x, const char* where) {
  ops::require_tensor(x.contiguous(), x.sizes().vec(), where);
  check_device(x, where).or_throw();
  return x.detach().contiguous();
}

int64_t blocks_of(int64_t count) { return (count + sum_block - 1) / sum_block; }

// Sum of term(i) over all elements of x; `term` reads x.
template <class Term>
double blocked_sum(const at::Tensor& x, const Term& term) {
  const int64_t count = x.numel(), blocks = blocks_of(count);
  at::Tensor partial = at::empty({blocks}, x.options().dtype(at::kDouble));
  const SumBlock<Term> block{term, count, partial.mutable_data_ptr<double>()};
  if (runs_functors(x, "sum"))
    launch(x.device(), block, blocks);
  else
    ops::parallel_for(0, blocks, blocks_per_task, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) block(b);
    });
  const at::Tensor host = partial.cpu();
  const auto* sums = host.const_data_ptr<double>();
  double all = 0;
  for (int64_t b = 0; b < blocks; ++b) all += sums[b];
  return all;
}

template <class Pointer>
using Number = std::remove_cv_t<std::remove_pointer_t<Pointer>>;

template <class Function>
auto with_type(const at::Tensor& x, const Function& function) {
  return x.scalar_type() == at::kFloat ? function(x.const_data_ptr<float>()) : function(x.const_data_ptr<double>());
}

template <class T>
Extrema blocked_extrema(const at::Tensor& x, const T* values) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const int64_t count = x.numel(), blocks = blocks_of(count);
  at::Tensor partial = at::empty({blocks, 3}, x.options().dtype(at::kDouble));
  const ExtremaBlock<T> block{values, count, infinity, partial.mutable_data_ptr<double>()};
  if (runs_functors(x, "extrema"))
    launch(x.device(), block, blocks);
  else
    ops::parallel_for(0, blocks, blocks_per_task, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) block(b);
    });
  const at::Tensor host = partial.cpu();
  const auto* p = host.const_data_ptr<double>();
  Extrema all{infinity, -infinity, 0};
  for (int64_t b = 0; b < blocks; ++b)
    all = {std::min(all.min, p[3 * b]), std::max(all.max, p[3 * b + 1]), all.nans + static_cast<int64_t>(p[3 * b + 2])};
  if (all.nans == count) all.min = all.max = std::numeric_limits<double>::quiet_NaN();
  return all;
}

// x -> sum of x, as a linear map from a tensor to a 0-dim float64 tensor. Its transpose copies one number to all
// elements.
class SumOperator final : public LinearOperator {
 public:
  SumOperator(std::vector<int64_t> shape, at::TensorOptions options)
      : shape_(std::move(shape)), options_(options.requires_grad(false)) {}
  [[nodiscard]] std::string name() const override { return "sum"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {}; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    return at::scalar_tensor(total(x), at::TensorOptions().dtype(at::kDouble));
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    return y.to(options_).expand(shape_).contiguous();
  }

 private:
  std::vector<int64_t> shape_;
  at::TensorOptions options_;
};

}  // namespace

double total(const at::Tensor& x) {
  const at::Tensor plain = prepared(x, "sum");
  return with_type(plain, [&](const auto* p) { return blocked_sum(plain, OneValue<Number<decltype(p)>>{p}); });
}

double inner_product(const at::Tensor& x, const at::Tensor& y) {
  const at::Tensor a = prepared(x, "inner product"), b = prepared(y, "inner product");
  TL_CHECK(a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && a.device() == b.device(),
           "dot of tensors that do not match");
  return with_type(a, [&](const auto* p) {
    const auto* q = static_cast<decltype(p)>(b.const_data_ptr());
    return blocked_sum(a, ProductOfTwo<Number<decltype(p)>>{p, q});
  });
}

double total_of_squares(const at::Tensor& x) { return inner_product(x, x); }

Moments moments(const at::Tensor& x) {
  const at::Tensor plain = prepared(x, "moments");
  const int64_t count = plain.numel();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (count == 0) return {0, nan, nan};
  const double mean = total(plain) / static_cast<double>(count);
  const double squares = with_type(plain, [&](const auto* p) {
    return blocked_sum(plain, SquaredDeviation<Number<decltype(p)>>{p, mean});
  });
  return {count, mean, squares / static_cast<double>(count)};
}

Extrema extrema(const at::Tensor& x) {
  const at::Tensor plain = prepared(x, "extrema");
  return with_type(plain, [&](const auto* p) { return blocked_extrema(plain, p); });
}

int64_t count_of_nans(const at::Tensor& x) {
  if (!x.device().is_cpu()) return at::isnan(x).sum().item<int64_t>();
  const at::Tensor plain = prepared(x, "count of NaN");
  constexpr int64_t grain = int64_t{1} << 16;  // smallest number of values per thread
  std::atomic<int64_t> found = 0;
  with_type(plain, [&](const auto* p) {
    ops::parallel_for(0, plain.numel(), grain, [&](int64_t begin, int64_t end) {
      int64_t here = 0;
      for (int64_t i = begin; i < end; ++i) here += p[i] != p[i] ? 1 : 0;
      found += here;
    });
    return 0;
  });
  return found;
}

at::Tensor differentiable_sum(const at::Tensor& x) {
  return tl::apply(std::make_shared<SumOperator>(x.sizes().vec(), x.options()), x);
}

at::Tensor differentiable_mean(const at::Tensor& x) { return differentiable_sum(x) / static_cast<double>(x.numel()); }

namespace {

at::Tensor with_slices(const at::Tensor& x) { return x.dim() == 0 ? x.reshape({1}) : x; }

}  // namespace

at::Tensor differentiable_sum_of_squares(const at::Tensor& x) {
  const auto part = [](const auto& slabs, const auto&, Range) {
    return differentiable_sum(slabs.front() * slabs.front());
  };
  return slab_sum({{with_slices(x)}, {}, 0, part});
}

at::Tensor differentiable_variance(const at::Tensor& x) {
  const auto part = [](const auto& slabs, const auto& shared, Range) {
    const at::Tensor deviation = slabs.front() - shared.front();  // a 0-dim tensor keeps the type of x
    return differentiable_sum(deviation * deviation);
  };
  return slab_sum({{with_slices(x)}, {differentiable_mean(x)}, 0, part}) / static_cast<double>(x.numel());
}

}  // namespace tl
