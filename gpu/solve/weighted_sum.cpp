// Adds tensors with weights; torch's own operations would need one pass over memory per term.
#include "gpu/solve/weighted_sum.h"

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "gpu/device/parallel_for.h"

namespace tl::solve {
namespace {

constexpr int64_t worth_a_thread = 1 << 15;

bool fits(const at::Tensor& out, const Term& term) {
  return term.values.is_contiguous() && term.values.sizes() == out.sizes() &&
         term.values.scalar_type() == out.scalar_type() && term.values.device() == out.device();
}

// Sets every element i of out to value(i).
template <class T, class Value>
void fill(at::Tensor& out, const Value& value) {
  T* to = out.mutable_data_ptr<T>();
  ops::parallel_for(0, out.numel(), worth_a_thread, [&](int64_t first, int64_t last) {
    const Value own = value;
#pragma GCC ivdep
    for (int64_t i = first; i < last; ++i) to[i] = own(i);
  });
}

}  // namespace

void weighted_sum(at::Tensor& out, const Term& a, const Term& b) {
  TL_CHECK(out.is_contiguous() && fits(out, a) && fits(out, b), "terms of a sum that do not fit");
  if (!out.is_cpu()) {
    out.copy_((a.values * a.factor).add_(b.values, b.factor));
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "weighted_sum", [&] {
    const auto *x = a.values.const_data_ptr<scalar_t>(), *y = b.values.const_data_ptr<scalar_t>();
    const auto f = static_cast<scalar_t>(a.factor), g = static_cast<scalar_t>(b.factor);
    fill<scalar_t>(out, [=](int64_t i) { return f * x[i] + g * y[i]; });
  });
}

void weighted_sum(at::Tensor& out, const Term& a, const Term& b, const Term& c) {
  TL_CHECK(out.is_contiguous() && fits(out, a) && fits(out, b) && fits(out, c), "terms of a sum that do not fit");
  if (!out.is_cpu()) {
    out.copy_((a.values * a.factor).add_(b.values, b.factor).add_(c.values, c.factor));
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "weighted_sum", [&] {
    const auto *x = a.values.const_data_ptr<scalar_t>(), *y = b.values.const_data_ptr<scalar_t>(),
               *z = c.values.const_data_ptr<scalar_t>();
    const auto f = static_cast<scalar_t>(a.factor), g = static_cast<scalar_t>(b.factor),
               h = static_cast<scalar_t>(c.factor);
    fill<scalar_t>(out, [=](int64_t i) { return f * x[i] + g * y[i] + h * z[i]; });
  });
}

}  // namespace tl::solve
