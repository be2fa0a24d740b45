// Integer keys ordered like floating-point values, for every device.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"

namespace tl::ops {

template <class To, class From>
TL_HD inline To same_bits(From v) {
  static_assert(sizeof(To) == sizeof(From), "one size");
  To out;
  std::memcpy(&out, &v, sizeof out);
  return out;
}

// Converts values to integers of the same order (NaN of either sign above infinity, -0 just below 0), and back.
TL_HD inline int32_t ordered(float v) {
  const auto bits = same_bits<int32_t>(v);
  return v != v ? INT32_MAX : bits ^ ((bits >> 31) & INT32_MAX);
}
TL_HD inline int64_t ordered(double v) {
  const auto bits = same_bits<int64_t>(v);
  return v != v ? INT64_MAX : bits ^ ((bits >> 63) & INT64_MAX);
}
TL_HD inline float float_of_key(int32_t key) { return same_bits<float>(key ^ ((key >> 31) & INT32_MAX)); }
TL_HD inline double float_of_key(int64_t key) { return same_bits<double>(key ^ ((key >> 63) & INT64_MAX)); }

}  // namespace tl::ops
