// -ln of sixteen floats with AVX-512; nothing on processors other than x86-64.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include "gpu/device/cpu_variant.h"

namespace tl::ops {

// Accurate to 1.01 units in the last place for positive x; infinity gives minus infinity, NaN gives NaN.
//
// x = m 2^k with m from 3/4 to 3/2, ln x = k ln 2 - ln d + ln(1 + r) with r = m d - 1. d is looked up by the four
// highest bits of m, so that r is from -1/32 to 1/16; near 1 it is 1, which keeps the relative error small where ln x
// is. The other d are close to the inverse of the interval's middle and have logarithms especially close to a float (S.
// Gal, ACM Trans. Math. Softw. 17, 26 (1991)). ln(1 + r) = r + r^2 s(r), s fitted to relative errors of 3e-9.
TL_TARGET("avx512f,avx512dq") __attribute__((always_inline)) inline __m512 minus_ln_lanes(__m512 x) {
  const __m512 divisors =
      _mm512_setr_ps(1.0f, 0x1.d3ac8ap-1f, 0x1.ba6b1ap-1f, 0x1.a469ccp-1f, 0x1.8ff0f8p-1f, 0x1.7d43b6p-1f,
                     0x1.6b8e4p-1f, 0x1.5c5efap-1f, 0x1.4ed662p+0f, 0x1.41525ap+0f, 0x1.34e2cap+0f, 0x1.29718cp+0f,
                     0x1.1ee658p+0f, 0x1.15fa5ap+0f, 0x1.0c29aep+0f, 1.0f);
  const __m512 minus_logarithms =
      _mm512_setr_ps(0.0f, 0x1.72e7e8p-4f, 0x1.2b260cp-3f, 0x1.93a20cp-3f, 0x1.f9debep-3f, 0x1.2de84p-2f, 0x1.5e9c1p-2f,
                     0x1.8a4c48p-2f, -0x1.12e932p-2f, -0x1.d1707ap-3f, -0x1.809a66p-3f, -0x1.334bd6p-3f,
                     -0x1.d2c304p-4f, -0x1.515d3ap-4f, -0x1.7c3f34p-5f, 0.0f);
  constexpr float ln_2 = 0x1.62e43p-1f;
  const __m512 m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
  // For m >= 3/2, m is halved: 4/3 x is then in the next octave.
  const __m512 k = _mm512_getexp_ps(_mm512_mul_ps(x, _mm512_set1_ps(4.0f / 3)));
  const __m512i entry = _mm512_srli_epi32(_mm512_castps_si512(m), 19);
  const __m512 r = _mm512_fmsub_ps(m, _mm512_permutexvar_ps(entry, divisors), _mm512_set1_ps(1.0f));
  __m512 s = _mm512_fmadd_ps(r, _mm512_set1_ps(0.18846028f), _mm512_set1_ps(-0.25006104f));
  s = _mm512_fmadd_ps(r, s, _mm512_set1_ps(0.33334452f));
  s = _mm512_fmadd_ps(r, s, _mm512_set1_ps(-0.5f));
  const __m512 near = _mm512_fmadd_ps(_mm512_mul_ps(r, r), s, r);
  // k ln 2 is added last: its product is exact before the sum is rounded.
  return _mm512_fnmsub_ps(k, _mm512_set1_ps(ln_2), _mm512_add_ps(near, _mm512_permutexvar_ps(entry, minus_logarithms)));
}

}  // namespace tl::ops
#endif
