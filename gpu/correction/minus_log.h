// Transmission to absorption: -ln.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"

namespace tl::ops {

// What becomes of NaN: it stays (and spoils what is computed from it), or counts as transmission 1, absorption 0.
enum class NanPolicy { keep, transparent };

struct MinusLogSpec {
  // Smallest transmission that is believed, > 0; lower values (also zero and negative ones) are raised to it. One count
  // of a full 16-bit detector is 1.5e-5; the default gives at most 11.5.
  double floor = 1e-5;
  NanPolicy nans = NanPolicy::transparent;
};

// invalid for a floor that is not positive and finite.
Result<void> check(const MinusLogSpec& spec);

struct MinusLog {
  at::Tensor absorption;  // -ln(max(transmission, floor)), same shape and type
  int64_t floored = 0;    // pixels below the floor
  int64_t nans = 0;       // pixels that were not a number
  bool usable = true;     // no value was beyond what unusable_values.h calls usable
};

// Any floating-point tensor on any device, differentiable: the gradient is -1/t, and 0 where the floor or the NaN
// policy decided. Errors: invalid for a floor that is not positive and finite, or another type.
Result<MinusLog> minus_log(const at::Tensor& transmission, const MinusLogSpec& spec);

// The same for a part of an image, in place, without checks: what operators run on values that are still in the cache.
struct AbsorbedPart {
  int64_t floored = 0, nans = 0;
};
template <class T>
AbsorbedPart absorb(T* values, int64_t count, const MinusLogSpec& spec);
template <>
AbsorbedPart absorb(float* values, int64_t count, const MinusLogSpec& spec);
template <>
AbsorbedPart absorb(double* values, int64_t count, const MinusLogSpec& spec);

}  // namespace tl::ops
