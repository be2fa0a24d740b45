// IEEE half precision numbers as 16 bits, bit-identical on CPU and GPU.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"

namespace tl::ops {

struct Half {
  uint16_t bits;
};

TL_HD inline uint32_t float_bits(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
TL_HD inline float float_of(uint32_t bits) {
  float v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

TL_HD inline float to_float(float v) { return v; }
TL_HD inline float to_float(Half h) {
  const uint32_t sign = static_cast<uint32_t>(h.bits & 0x8000u) << 16, rest = h.bits & 0x7fffu;
  if (rest >= 0x7c00u) return float_of(sign | 0x7f800000u | (rest << 13));
  // The exponent is too small by 112; the multiplication corrects it, and also half's subnormals.
  return float_of(float_bits(float_of(rest << 13) * 0x1p112f) | sign);
}

// Rounds to nearest, halves to even; NaN stays NaN, too large values become infinite.
TL_HD inline Half to_half(float v) {
  const uint32_t bits = float_bits(v), sign = (bits >> 16) & 0x8000u, rest = bits & 0x7fffffffu;
  uint32_t half;
  if (rest > 0x7f800000u)
    half = 0x7e00u;
  else if (rest >= 0x477ff000u)  // 65520
    half = 0x7c00u;
  else if (rest < 0x38800000u)  // below 2^-14: in the sum with 1/2, floats have the same spacing as half's subnormals
    half = float_bits(float_of(rest) + 0.5f) - float_bits(0.5f);
  else
    half = (rest - 0x38000000u + 0xfffu + ((rest >> 13) & 1u)) >> 13;
  return {static_cast<uint16_t>(sign | half)};
}

// Converts views to half precision, each multiplied by its own factor.
struct StoreHalf {
  const float* in;
  const float* factors;
  int64_t view_size;
  Half* out;

  TL_HD void operator()(int64_t i) const { out[i] = to_half(in[i] * factors[i / view_size]); }
};

}  // namespace tl::ops
