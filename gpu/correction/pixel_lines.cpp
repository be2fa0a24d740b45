// Divides lines of float pixels by flats and takes their logarithm: plain loops, vectorized by the compiler for the
// instruction set of each variant; the AVX-512 loops with logarithms use intrinsics.
#include "gpu/correction/pixel_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "gpu/device/choose_variant.h"
#include "gpu/device/minus_ln_lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

template <class Count>
__attribute__((always_inline)) inline void divide(const Count* counts, const LineReferences& l, float* out,
                                                  int64_t count) {
  const float *dark = l.dark, *before = l.before, *after = l.after, share = l.share;
  if (share == 0) {
    for (int64_t i = 0; i < count; ++i) out[i] = (static_cast<float>(counts[i]) - dark[i]) / before[i];
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    out[i] = (static_cast<float>(counts[i]) - dark[i]) / (before[i] + share * (after[i] - before[i]));
}

// Whether the numbers may include infinities and NaN.
enum class Numbers { any, finite };

// -ln x for positive x, and infinity and NaN if there are any: x = 2^e (1 + f) with 1 + f between sqrt(1/2) and
// sqrt(2), and ln(1 + f) = f - f^2 / 2 + f^3 p(f), p fitted to relative errors of 6e-9.
template <Numbers numbers>
__attribute__((always_inline)) inline float minus_ln(float x) {
  constexpr float p[] = {0.3333333f,  -0.2500082f,  0.20001227f, -0.16623357f,
                         0.14201757f, -0.13160183f, 0.12761576f, -0.07634497f};
  constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr int32_t root_half = 0x3f3504f3;
  const auto bits = std::bit_cast<int32_t>(x);
  const int32_t exponent = (bits - root_half) >> 23;
  const float f = std::bit_cast<float>(bits - (exponent << 23)) - 1.0f, e = static_cast<float>(exponent);
  float s = p[7];
  for (int i = 6; i >= 0; --i) s = s * f + p[i];
  // Each sum contains one product, so that compilers can fuse it in only one way, in every loop.
  s = (s * f - 0.5f) * (f * f) + (f + e * ln2_low);
  s = s + e * ln2_high;
  return numbers == Numbers::finite || x < std::numeric_limits<float>::infinity() ? -s : -x;
}

// out[i] = absorption of transmission(i); also counts values below the floor and NaN.
template <Numbers numbers = Numbers::any, class Transmission>
__attribute__((always_inline)) inline MinusLogCounts absorb_each(const Transmission& transmission, float* out,
                                                                 int64_t count, float floor, NanPolicy nans) {
  const float instead = nans == NanPolicy::keep ? std::numeric_limits<float>::quiet_NaN() : 1.0f;
  MinusLogCounts all;
  constexpr int64_t at_once = 1 << 14;  // counters fit 32 bits
  for (int64_t first = 0; first < count; first += at_once) {
    float* v = out + first;
    const auto n = static_cast<int32_t>(std::min(at_once, count - first));
    int32_t floored = 0, bad = 0;
#pragma GCC ivdep
    for (int32_t i = 0; i < n; ++i) {
      const float t = transmission(first + i);
      floored += t < floor ? 1 : 0;
      float known = t;
      if constexpr (numbers == Numbers::any) {
        bad += t != t ? 1 : 0;
        known = t != t ? instead : t;
      }
      v[i] = minus_ln<numbers>(known < floor ? floor : known);
    }
    all.floored += floored;
    all.nans += bad;
  }
  return all;
}

__attribute__((always_inline)) inline MinusLogCounts minus_log_in_place(float* values, int64_t count, float floor,
                                                                        NanPolicy nans) {
  return absorb_each(
      [values](int64_t i) __attribute__((always_inline)) { return values[i]; }, values, count, floor, nans);
}

template <Numbers numbers, class Count>
__attribute__((always_inline)) inline MinusLogCounts divide_and_absorb(const Count* counts, const LineReferences& l,
                                                                       float* out, int64_t count, float floor,
                                                                       NanPolicy nans) {
  const float *dark = l.dark, *before = l.before, *after = l.after, share = l.share;
  if (share == 0)
    return absorb_each<numbers>(
        [=](int64_t i) __attribute__((always_inline)) { return (static_cast<float>(counts[i]) - dark[i]) / before[i]; },
        out, count, floor, nans);
  return absorb_each<numbers>(
      [=](int64_t i) __attribute__((always_inline)) {
        return (static_cast<float>(counts[i]) - dark[i]) / (before[i] + share * (after[i] - before[i]));
      },
      out, count, floor, nans);
}

// Calls work(counts, line, out, count) piece by piece, each on a copy, because out may overwrite the counts.
template <class Work>
__attribute__((always_inline)) inline void each_piece(const uint16_t* counts, const LineReferences& l, float* out,
                                                      int64_t count, const Work& work) {
  constexpr int64_t piece = 1 << 12;  // number of pixels that stay in the L1 cache together with their flats and floats
  uint16_t here[piece];
  for (int64_t first = 0; first < count; first += piece) {
    const int64_t n = std::min(piece, count - first);
    std::memcpy(here, counts + first, static_cast<std::size_t>(n) * sizeof(uint16_t));
    work(here, LineReferences{l.dark + first, l.before + first, l.after + first, l.share}, out + first, n);
  }
}

__attribute__((always_inline)) inline void divide_counts(const uint16_t* counts, const LineReferences& line, float* out,
                                                         int64_t count) {
  each_piece(
      counts, line, out, count,
      [](const uint16_t* c, const LineReferences& l, float* o, int64_t n)
          __attribute__((always_inline)) { divide(c, l, o, n); });
}

__attribute__((always_inline)) inline MinusLogCounts absorb_counts(const uint16_t* counts, const LineReferences& line,
                                                                   float* out, int64_t count, float floor) {
  MinusLogCounts all;
  each_piece(
      counts, line, out,
      count, [&](const uint16_t* c, const LineReferences& l, float* o, int64_t n) __attribute__((always_inline)) {
        all.floored += divide_and_absorb<Numbers::finite>(c, l, o, n, floor, NanPolicy::keep).floored;
      });
  return all;
}

#if defined(__x86_64__)

// Sixteen counts or transmissions from index i on; masked-out lanes are 1.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 sixteen(const float* from, int64_t i, __mmask16 which) {
  return _mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), which, from + i);
}
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
__attribute__((always_inline)) inline __m512 sixteen(const uint16_t* from, int64_t i, __mmask16 which) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_mask_loadu_epi16(_mm256_set1_epi16(1), which, from + i)));
}

// Like absorb_each(), for sixteen pixels at a time: transmission(i, mask). Reads at i before writing there.
template <Numbers numbers, class Transmission>
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
__attribute__((always_inline)) inline MinusLogCounts
    absorb_sixteens(const Transmission& transmission, float* out, int64_t count, float floor, NanPolicy nans) {
  const __m512 least = _mm512_set1_ps(floor), one = _mm512_set1_ps(1.0f);
  MinusLogCounts all;
  const auto absorbed = [&](int64_t i, __mmask16 which) TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
      __attribute__((always_inline)) {
    __m512 t = transmission(i, which);
    all.floored += __builtin_popcount(_mm512_mask_cmp_ps_mask(which, t, least, _CMP_LT_OQ));
    if constexpr (numbers == Numbers::any) {
      const __mmask16 bad = _mm512_mask_cmp_ps_mask(which, t, t, _CMP_UNORD_Q);
      all.nans += __builtin_popcount(bad);
      if (nans == NanPolicy::transparent) t = _mm512_mask_mov_ps(t, bad, one);
    }
    return minus_ln_lanes(_mm512_max_ps(least, t));  // NaN if t is
  };
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) _mm512_storeu_ps(out + i, absorbed(i, 0xFFFF));
  if (i < count) {
    const auto rest = static_cast<__mmask16>((1U << static_cast<unsigned>(count - i)) - 1);
    _mm512_mask_storeu_ps(out + i, rest, absorbed(i, rest));
  }
  return all;
}

template <Numbers numbers, class Count>
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
__attribute__((always_inline)) inline MinusLogCounts
    divide_and_absorb_sixteens(const Count* counts, const LineReferences& l, float* out, int64_t count, float floor,
                               NanPolicy nans) {
  const LineReferences f = l;
  const auto signal = [=](int64_t i, __mmask16 which) TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
      __attribute__((always_inline)) {
    return _mm512_sub_ps(sixteen(counts, i, which), sixteen(f.dark, i, which));
  };
  if (f.share == 0)
    return absorb_sixteens<numbers>(
        [=](int64_t i, __mmask16 which) TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
            __attribute__((always_inline)) { return _mm512_div_ps(signal(i, which), sixteen(f.before, i, which)); },
        out, count, floor, nans);
  return absorb_sixteens<numbers>(
      [=](int64_t i,
          __mmask16 which) TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma") __attribute__((always_inline)) {
        const __m512 before = sixteen(f.before, i, which), change = _mm512_sub_ps(sixteen(f.after, i, which), before);
        return _mm512_div_ps(signal(i, which), _mm512_fmadd_ps(_mm512_set1_ps(f.share), change, before));
      },
      out, count, floor, nans);
}

#endif

TL_TARGET("avx2,fma") MinusLogCounts absorb_avx2(float* v, int64_t n, float floor, NanPolicy p) {
  return minus_log_in_place(v, n, floor, p);
}
TL_TARGET("avx2,fma")
MinusLogCounts both_avx2(const float* c, const LineReferences& l, float* out, int64_t n, float floor, NanPolicy p) {
  return divide_and_absorb<Numbers::any>(c, l, out, n, floor, p);
}
// 16-bit integer vectors need avx512bw, which every CPU with avx512dq and avx512vl has.
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,prefer-vector-width=512")
void divide_counts_avx512(const uint16_t* c, const LineReferences& l, float* out, int64_t n) {
  divide_counts(c, l, out, n);
}
TL_TARGET("avx2,fma") void divide_counts_avx2(const uint16_t* c, const LineReferences& l, float* out, int64_t n) {
  divide_counts(c, l, out, n);
}
TL_TARGET("avx2,fma")
MinusLogCounts absorb_counts_avx2(const uint16_t* c, const LineReferences& l, float* out, int64_t n, float floor) {
  return absorb_counts(c, l, out, n, floor);
}

#if defined(__x86_64__)

TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
MinusLogCounts absorb_avx512(float* v, int64_t n, float floor, NanPolicy p) {
  return absorb_sixteens<Numbers::any>(
      [=](int64_t i, __mmask16 which) TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
          __attribute__((always_inline)) { return sixteen(v, i, which); },
      v, n, floor, p);
}
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
MinusLogCounts both_avx512(const float* c, const LineReferences& l, float* out, int64_t n, float floor, NanPolicy p) {
  return divide_and_absorb_sixteens<Numbers::any>(c, l, out, n, floor, p);
}
// No copy needed: counts stored as described in counts.h are read before the floats that overwrite them are written.
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
MinusLogCounts absorb_counts_avx512(const uint16_t* c, const LineReferences& l, float* out, int64_t n, float floor) {
  return divide_and_absorb_sixteens<Numbers::finite>(c, l, out, n, floor, NanPolicy::keep);
}

#else

MinusLogCounts absorb_avx512(float* v, int64_t n, float floor, NanPolicy p) {
  return minus_log_in_place(v, n, floor, p);
}
MinusLogCounts both_avx512(const float* c, const LineReferences& l, float* out, int64_t n, float floor, NanPolicy p) {
  return divide_and_absorb<Numbers::any>(c, l, out, n, floor, p);
}
MinusLogCounts absorb_counts_avx512(const uint16_t* c, const LineReferences& l, float* out, int64_t n, float floor) {
  return absorb_counts(c, l, out, n, floor);
}

#endif

}  // namespace

MinusLogCounts divide_and_absorb_line(const float* counts, const LineReferences& line, float* out, int64_t count,
                                      float floor, NanPolicy nans) {
  return choose_variant(both_avx512, both_avx2, divide_and_absorb<Numbers::any>)(counts, line, out, count, floor, nans);
}

void divide_line(const float* counts, const LineReferences& line, float* out, int64_t count) {
  return LoopVariants<divide<float>>::of(best_cpu_variant())(counts, line, out, count);
}

void divide_line(const uint16_t* counts, const LineReferences& line, float* out, int64_t count) {
  return choose_variant(divide_counts_avx512, divide_counts_avx2, divide_counts)(counts, line, out, count);
}

MinusLogCounts divide_and_absorb_line(const uint16_t* counts, const LineReferences& line, float* out, int64_t count,
                                      float floor) {
  return choose_variant(absorb_counts_avx512, absorb_counts_avx2, absorb_counts)(counts, line, out, count, floor);
}

MinusLogCounts absorb_line(float* values, int64_t count, float floor, NanPolicy nans) {
  return choose_variant(absorb_avx512, absorb_avx2, minus_log_in_place)(values, count, floor, nans);
}

}  // namespace tl::ops
