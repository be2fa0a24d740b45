// Medians of many windows at a time, over integers whose order is that of the values.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gpu/ops/cpu_variant.h"

namespace tl::ops {

// Integers in the order of the values, NaN above infinity whatever its sign, -0 just below 0; and back.
inline int32_t ordered(float v) {
  const auto bits = std::bit_cast<int32_t>(v);
  return std::isnan(v) ? std::numeric_limits<int32_t>::max()
                       : bits ^ ((bits >> 31) & std::numeric_limits<int32_t>::max());
}
inline int64_t ordered(double v) {
  const auto bits = std::bit_cast<int64_t>(v);
  return std::isnan(v) ? std::numeric_limits<int64_t>::max()
                       : bits ^ ((bits >> 63) & std::numeric_limits<int64_t>::max());
}
inline float value_of(int32_t key) {
  return std::bit_cast<float>(key ^ ((key >> 31) & std::numeric_limits<int32_t>::max()));
}
inline double value_of(int64_t key) {
  return std::bit_cast<double>(key ^ ((key >> 63) & std::numeric_limits<int64_t>::max()));
}

// out[x] = median of lines[0][x] ... lines[n - 1][x] for x in [0, count), n odd. Reads and writes up to 15 elements
// beyond count.
void median_of_lines(const int32_t* const* lines, int64_t n, int64_t count, int32_t* out, CpuVariant variant);
void median_of_lines(const int64_t* const* lines, int64_t n, int64_t count, int64_t* out, CpuVariant variant);

}  // namespace tl::ops
