// Blocked sums in double, and the linear operator that makes them differentiable.
#include "gpu/reduce.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "gpu/linear_operator.h"
#include "gpu/ops/operator_checks.h"

namespace tl {
namespace {

// Part of the result: another length would give other last bits.
constexpr int64_t block_length = 4096;
constexpr int64_t blocks_per_task = 16;
constexpr int lanes = 8;  // partial sums of a block, so that the compiler can use vectors

at::Tensor prepared(const at::Tensor& x, const char* where) {
  ops::require_tensor(x.contiguous(), x.sizes().vec(), where);
  ops::require_cpu(x, where);
  return x.detach().contiguous();
}

// Sum of term(i) over [0, count).
template <class Term>
double blocked_sum(int64_t count, const Term& term) {
  const int64_t blocks = (count + block_length - 1) / block_length;
  std::vector<double> partial(static_cast<std::size_t>(blocks));
  at::parallel_for(0, blocks, blocks_per_task, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      const int64_t begin = b * block_length, end = std::min(count, begin + block_length);
      double lane[lanes] = {};
      int64_t i = begin;
      for (; i + lanes <= end; i += lanes)
        for (int k = 0; k < lanes; ++k) lane[k] += term(i + k);
      for (int k = 0; i < end; ++i, ++k) lane[k] += term(i);
      partial[static_cast<std::size_t>(b)] =
          ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
  });
  double all = 0;
  for (const double p : partial) all += p;
  return all;
}

template <class Function>
auto with_type(const at::Tensor& x, const Function& function) {
  return x.scalar_type() == at::kFloat ? function(x.const_data_ptr<float>()) : function(x.const_data_ptr<double>());
}

template <class T>
Extrema blocked_extrema(const T* x, int64_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const int64_t blocks = (count + block_length - 1) / block_length;
  std::vector<Extrema> partial(static_cast<std::size_t>(blocks));
  at::parallel_for(0, blocks, blocks_per_task, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; ++b) {
      T low = std::numeric_limits<T>::infinity(), high = -low;
      int64_t nans = 0;
      for (int64_t i = b * block_length; i < std::min(count, (b + 1) * block_length); ++i) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
        nans += x[i] != x[i] ? 1 : 0;
      }
      partial[static_cast<std::size_t>(b)] = {static_cast<double>(low), static_cast<double>(high), nans};
    }
  });
  Extrema all{infinity, -infinity, 0};
  for (const Extrema& p : partial) all = {std::min(all.min, p.min), std::max(all.max, p.max), all.nans + p.nans};
  if (all.nans == count) all.min = all.max = std::numeric_limits<double>::quiet_NaN();
  return all;
}

// x -> sum of x, as a linear map from a tensor to a 0-dim float64 tensor. Its transpose spreads one number.
class SumOperator final : public LinearOperator {
 public:
  SumOperator(std::vector<int64_t> shape, at::ScalarType type) : shape_(std::move(shape)), type_(type) {}
  [[nodiscard]] std::string name() const override { return "sum"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return {}; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    return at::scalar_tensor(total(x), at::TensorOptions().dtype(at::kDouble));
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    return y.to(type_).expand(shape_).contiguous();
  }

 private:
  std::vector<int64_t> shape_;
  at::ScalarType type_;
};

}  // namespace

double total(const at::Tensor& x) {
  const at::Tensor plain = prepared(x, "sum");
  return with_type(plain, [&](const auto* p) {
    return blocked_sum(plain.numel(), [p](int64_t i) { return static_cast<double>(p[i]); });
  });
}

double inner_product(const at::Tensor& x, const at::Tensor& y) {
  const at::Tensor a = prepared(x, "inner product"), b = prepared(y, "inner product");
  TL_CHECK(a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type(), "dot of tensors that do not match");
  return with_type(a, [&](const auto* p) {
    const auto* q = static_cast<decltype(p)>(b.const_data_ptr());
    return blocked_sum(a.numel(), [p, q](int64_t i) { return static_cast<double>(p[i]) * static_cast<double>(q[i]); });
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
    return blocked_sum(count, [p, mean](int64_t i) {
      const double d = static_cast<double>(p[i]) - mean;
      return d * d;
    });
  });
  return {count, mean, squares / static_cast<double>(count)};
}

Extrema extrema(const at::Tensor& x) {
  const at::Tensor plain = prepared(x, "extrema");
  return with_type(plain, [&](const auto* p) { return blocked_extrema(p, plain.numel()); });
}

at::Tensor differentiable_sum(const at::Tensor& x) {
  return tl::apply(std::make_shared<SumOperator>(x.sizes().vec(), x.scalar_type()), x);
}

at::Tensor differentiable_sum_of_squares(const at::Tensor& x) { return differentiable_sum(x * x); }

at::Tensor differentiable_mean(const at::Tensor& x) { return differentiable_sum(x) / static_cast<double>(x.numel()); }

at::Tensor differentiable_variance(const at::Tensor& x) {
  const at::Tensor deviation = x - differentiable_mean(x);  // a 0-dim tensor keeps the type of x
  return differentiable_mean(deviation * deviation);
}

}  // namespace tl
