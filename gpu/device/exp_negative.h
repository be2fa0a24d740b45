// exp of a non-positive number, written so that compilers vectorize loops over it; usable on every device.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"

namespace tl::ops {

// exp(x) for x <= 0, accurate to 2 units in the last place; about 1e-35 (float) or 1e-300 (double) for smaller results.
// x = n ln 2 + r with |r| <= ln 2 / 2, and the Taylor series of exp(r), whose next term is below half a unit. NaN gives
// NaN.
template <class T>
TL_HD __attribute__((always_inline)) inline T exp_negative(T x) {
  constexpr bool single = sizeof(T) == 4;
  using Bits = std::conditional_t<single, int32_t, int64_t>;
  constexpr int mantissa = single ? 23 : 52;
  // Adding this constant rounds to an integer, which is then in the low bits.
  constexpr T magic = static_cast<T>(single ? 12582912.0 : 6755399441055744.0);
  constexpr T log2e = static_cast<T>(1.44269504088896340736);
  constexpr T ln2_high = static_cast<T>(single ? 0.693359375 : 6.93147180369123816490e-01);
  constexpr T ln2_low = static_cast<T>(single ? -2.12194440e-4 : 1.90821492927058770002e-10);
  constexpr T least = static_cast<T>(single ? -80 : -690);
  x = x < least ? least : x;
  const T rounded = x * log2e + magic;
  const T n = rounded - magic;
  const T r = (x - n * ln2_high) - n * ln2_low;
  constexpr int terms = single ? 7 : 13;
  T sum = 1;
#if !defined(__CUDACC__)
#pragma GCC unroll 16
#endif
  for (int i = terms; i > 0; --i) sum = 1 + sum * (r * (T{1} / static_cast<T>(i)));
  // 2^n: the integer is shifted into the exponent.
  const Bits shifted =
      static_cast<Bits>(static_cast<std::make_unsigned_t<Bits>>(__builtin_bit_cast(Bits, rounded)) << mantissa);
  const Bits power = shifted + __builtin_bit_cast(Bits, T{1});
  return sum * __builtin_bit_cast(T, power);
}

}  // namespace tl::ops
