// Absorption from transmission: the negative logarithm.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"

namespace tl::ops {

// Treatment of NaN. keep: stays NaN (and spreads to derived values); transparent: counts as transmission 1, absorption
// 0.
enum class NanPolicy { keep, transparent };

struct MinusLogSpec {
  // Smallest credible transmission, > 0; lower values (also zero and negative ones) are set to it. One count of a full
  // 16-bit detector is 1.5e-5; with the default, absorption is at most 11.5.
  double floor = 1e-5;
  NanPolicy nans = NanPolicy::transparent;
};

// Errors: invalid for a floor that is not positive and finite.
Result<void> check(const MinusLogSpec& spec);

struct MinusLog {
  at::Tensor absorption;  // -ln(max(transmission, floor)), same shape and type
  int64_t floored = 0;    // pixels below the floor
  int64_t nans = 0;       // number of NaN pixels
  bool usable = true;     // no value was unusable in the sense of unusable_values.h
};

// Any floating-point tensor on any device. Differentiable: the gradient is -1/t, and 0 for values set by the floor or
// the NaN policy. Errors: invalid for a floor that is not positive and finite, or another type.
Result<MinusLog> minus_log(const at::Tensor& transmission, const MinusLogSpec& spec);

// Processes part of an image in place and without checks; for operators whose values are still in the cache.
struct MinusLogCounts {
  int64_t floored = 0, nans = 0;
};
template <class T>
MinusLogCounts minus_log_in_place(T* values, int64_t count, const MinusLogSpec& spec);
template <>
MinusLogCounts minus_log_in_place(float* values, int64_t count, const MinusLogSpec& spec);
template <>
MinusLogCounts minus_log_in_place(double* values, int64_t count, const MinusLogSpec& spec);

}  // namespace tl::ops
