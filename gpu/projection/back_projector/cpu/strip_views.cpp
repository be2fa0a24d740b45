// Sums views for lines of sixteen voxels: three detector rows are kept in registers and permuted. Needs AVX-512:
// strips.cpp calls none of it on processors other than x86-64.
#include "gpu/projection/back_projector/cpu/strip_views.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cmath>

#include "gpu/device/cpu_variant.h"
#include "gpu/projection/back_projector/cpu/registers.h"

namespace tl::ops {
namespace {

constexpr float half_width = 0.5f * (strip_width - 1), half_lines = 0.5f * (strip_lines - 1);
constexpr int64_t narrow_half = 8, wide_half = 16;  // number of columns in registers before the middle of a line
// Largest distance of a line's ends from its middle, which is itself up to half a pixel from the middle of the
// registers; a thousandth covers all rounding.
constexpr double max_rows = 0.499, max_narrow = narrow_half - 1.501, max_wide = wide_half - 1.501;
// Up to this value, four terms of the geometric series give the inverse of a divisor to 5e-8.
constexpr double max_bend = 0.015;

// Projection of the middle of a strip into each view of a group, as in EightProjectedVoxels.
struct StripLandings {
  alignas(64) double col[max_strip_views], col_x[max_strip_views], col_y[max_strip_views];
  alignas(64) double row[max_strip_views], row_x[max_strip_views], row_y[max_strip_views];
  alignas(64) double depth_x[max_strip_views], depth_y[max_strip_views], weight[max_strip_views];
  alignas(64) double c[max_strip_views], r[max_strip_views];
};

// For one line of a strip. Relative to the pixel at `offset` in the view's copied pixels, voxel x from the middle is
// at col + col_x s with s = x / (1 + x depth_x), rows likewise; its weight is `weight` over the square of that
// divisor.
struct LineLandings {
  alignas(64) float col[max_strip_views], col_x[max_strip_views], row[max_strip_views], row_x[max_strip_views];
  alignas(64) float depth_x[max_strip_views], weight[max_strip_views];
  alignas(32) int32_t offset[max_strip_views];
};

template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline void land_strip(const ViewArrays& maps, const StripViews& windows, double k, double j, double i,
                       StripLandings& at) {
  for (int64_t n = 0; n < windows.views; n += 8) {
    const EightProjectedVoxels e =
        project_into_eight_views<mode>(maps, static_cast<std::size_t>(windows.first + n), k, j, i);
    // Positions are relative to pixel (r, c), like the steps, and that pixel relative to the first copied one.
    _mm512_store_pd(at.col + n, _mm512_sub_pd(e.col, e.c));
    _mm512_store_pd(at.row + n, _mm512_sub_pd(e.row, e.r));
    _mm512_store_pd(at.col_x + n, e.col_x);
    _mm512_store_pd(at.col_y + n, e.col_y);
    _mm512_store_pd(at.row_x + n, e.row_x);
    _mm512_store_pd(at.row_y + n, e.row_y);
    _mm512_store_pd(at.c + n, _mm512_sub_pd(e.c, _mm512_load_pd(windows.col + n)));
    _mm512_store_pd(at.r + n, _mm512_sub_pd(e.r, _mm512_load_pd(windows.row + n)));
    if (mode == BeamMode::parallel) continue;
    _mm512_store_pd(at.depth_x + n, e.depth_x);
    _mm512_store_pd(at.depth_y + n, e.depth_y);
    _mm512_store_pd(at.weight + n, e.weight);
  }
}

template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline void land_line(const StripLandings& strip, const StripViews& windows, int64_t line, LineLandings& at) {
  const __m512d y = _mm512_set1_pd(static_cast<double>(line) - half_lines), one = _mm512_set1_pd(1.0);
  for (int64_t n = 0; n < windows.views; n += 8) {
    __m512d col = _mm512_fmadd_pd(y, _mm512_load_pd(strip.col_y + n), _mm512_load_pd(strip.col + n));
    __m512d row = _mm512_fmadd_pd(y, _mm512_load_pd(strip.row_y + n), _mm512_load_pd(strip.row + n));
    __m512d col_x = _mm512_load_pd(strip.col_x + n), row_x = _mm512_load_pd(strip.row_x + n);
    if (mode != BeamMode::parallel) {
      const __m512d divisor = _mm512_fmadd_pd(y, _mm512_load_pd(strip.depth_y + n), one);
      const __m512d guess = _mm512_rcp14_pd(divisor);  // 14 bits, 28 after one Newton step
      const __m512d inverse = _mm512_fmadd_pd(_mm512_fnmadd_pd(divisor, guess, one), guess, guess);
      col = _mm512_mul_pd(col, inverse);
      row = _mm512_mul_pd(row, inverse);
      // (a + b x) / (1 + d x) = a + (b - a d) x / (1 + d x)
      const __m512d depth_x = _mm512_load_pd(strip.depth_x + n);
      col_x = _mm512_mul_pd(_mm512_fnmadd_pd(col, depth_x, col_x), inverse);
      row_x = _mm512_mul_pd(_mm512_fnmadd_pd(row, depth_x, row_x), inverse);
      store_eight(at.depth_x + n, _mm512_mul_pd(depth_x, inverse));
      store_eight(at.weight + n, _mm512_mul_pd(_mm512_load_pd(strip.weight + n), _mm512_mul_pd(inverse, inverse)));
    }
    // The pixel nearest to the middle.
    const __m512d near_col = _mm512_roundscale_pd(col, _MM_FROUND_TO_NEAREST_INT),
                  near_row = _mm512_roundscale_pd(row, _MM_FROUND_TO_NEAREST_INT);
    store_eight(at.col + n, _mm512_sub_pd(col, near_col));
    store_eight(at.row + n, _mm512_sub_pd(row, near_row));
    store_eight(at.col_x + n, col_x);
    store_eight(at.row_x + n, row_x);
    const __m512d pixel_col = _mm512_add_pd(near_col, _mm512_load_pd(strip.c + n)),
                  pixel_row = _mm512_add_pd(near_row, _mm512_load_pd(strip.r + n));
    _mm256_store_si256(reinterpret_cast<__m256i*>(at.offset + n),
                       _mm512_cvtpd_epi32(_mm512_fmadd_pd(pixel_row, _mm512_load_pd(windows.stride + n), pixel_col)));
  }
}

// Adding a large number while rounding down leaves floor + `before` in the low bits; the permutation uses only these.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512i index_of(__m512 col, int64_t before) {
  constexpr float to_low_bits = 12582912.0f;  // 1.5 * 2^23
  return _mm512_castps_si512(_mm512_add_round_ps(col, _mm512_set1_ps(to_low_bits + static_cast<float>(before)),
                                                 _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 bilinear(const Neighbours& upper, const Neighbours& lower, __m512 col,
                                                      __m512 row) {
  // The fractional parts.
  const __m512 fc = _mm512_reduce_ps(col, _MM_FROUND_TO_NEG_INF), fr = _mm512_reduce_ps(row, _MM_FROUND_TO_NEG_INF);
  const __m512 top = _mm512_fmadd_ps(fc, _mm512_sub_ps(upper.right, upper.left), upper.left);
  const __m512 bottom = _mm512_fmadd_ps(fc, _mm512_sub_ps(lower.right, lower.left), lower.left);
  return _mm512_fmadd_ps(fr, _mm512_sub_ps(bottom, top), top);
}

// Bilinear values at (col, row) from `middle`: -8 <= col < 7, -1 <= row < 1.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 from_narrow(const float* middle, int64_t stride, __m512 col, __m512 row) {
  const float* p = middle - narrow_half;
  const __m512 first = sixteen(p - stride), second = sixteen(p), third = sixteen(p + stride);
  const __mmask16 below = _mm512_cmp_ps_mask(row, _mm512_setzero_ps(), _CMP_GE_OQ);
  __m512i left = index_of(col, narrow_half);
  left = _mm512_mask_add_epi32(left, below, left, _mm512_set1_epi32(16));  // the second register of a pair
  const __m512i right = _mm512_add_epi32(left, _mm512_set1_epi32(1));
  return bilinear({_mm512_permutex2var_ps(first, left, second), _mm512_permutex2var_ps(first, right, second)},
                  {_mm512_permutex2var_ps(second, left, third), _mm512_permutex2var_ps(second, right, third)}, col,
                  row);
}

// For -16 <= col < 15.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 from_wide(const float* middle, int64_t stride, __m512 col, __m512 row) {
  const float* p = middle - wide_half;
  const __m512i left = index_of(col, wide_half), right = _mm512_add_epi32(left, _mm512_set1_epi32(1));
  const auto neighbours_in = [&](const float* data) TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
      __attribute__((always_inline)) {
    const __m512 begin = sixteen(data), end = sixteen(data + 16);
    return Neighbours{_mm512_permutex2var_ps(begin, left, end), _mm512_permutex2var_ps(begin, right, end)};
  };
  const Neighbours first = neighbours_in(p - stride), second = neighbours_in(p), third = neighbours_in(p + stride);
  const __mmask16 below = _mm512_cmp_ps_mask(row, _mm512_setzero_ps(), _CMP_GE_OQ);
  return bilinear(
      {_mm512_mask_mov_ps(first.left, below, second.left), _mm512_mask_mov_ps(first.right, below, second.right)},
      {_mm512_mask_mov_ps(second.left, below, third.left), _mm512_mask_mov_ps(second.right, below, third.right)}, col,
      row);
}

// For any (col, row) whose pixels have been copied.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__m512 one_by_one(const float* middle, int64_t stride, __m512 col, __m512 row) {
  const __m512i step = _mm512_set1_epi32(static_cast<int32_t>(stride)), one = _mm512_set1_epi32(1);
  const __m512i c = _mm512_cvtps_epi32(_mm512_floor_ps(col)), r = _mm512_cvtps_epi32(_mm512_floor_ps(row));
  const __m512i upper = _mm512_add_epi32(_mm512_mullo_epi32(r, step), c), lower = _mm512_add_epi32(upper, step);
  const auto pixels = [&](__m512i at) TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") __attribute__((always_inline)) {
    return Neighbours{_mm512_i32gather_ps(at, middle, 4), _mm512_i32gather_ps(_mm512_add_epi32(at, one), middle, 4)};
  };
  return bilinear(pixels(upper), pixels(lower), col, row);
}

// 1 / (1 + e) for |e| <= max_bend.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 inverse_of_one_and(__m512 e) {
  const __m512 rest = _mm512_sub_ps(_mm512_set1_ps(1.0f), e);
  return _mm512_fmadd_ps(_mm512_mul_ps(e, e), rest, rest);
}

// Adds view n to all lines.
template <BeamMode mode, StripReadMode read_mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline void add_view(const LineLandings* at, int64_t n, const float* pixels,
                                                    int64_t stride, __m512* sums) {
  const __m512 x = _mm512_setr_ps(-7.5f, -6.5f, -5.5f, -4.5f, -3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f, 4.5f,
                                  5.5f, 6.5f, 7.5f);
  // Positions of several lines are computed before their pixels are read, so that the reads do not wait for each other.
  constexpr int64_t at_once = 4;
#pragma GCC unroll 8
  for (int64_t first = 0; first < strip_lines; first += at_once) {
    __m512 cols[at_once], rows[at_once], weights[at_once];
#pragma GCC unroll 8
    for (int64_t i = 0; i < at_once; ++i) {
      const LineLandings& l = at[first + i];
      __m512 s = x, inverse = _mm512_set1_ps(1.0f);
      if (mode != BeamMode::parallel) {
        const __m512 depth = _mm512_set1_ps(l.depth_x[n]);
        inverse = read_mode == StripReadMode::pixels ? inverse_of(_mm512_fmadd_ps(x, depth, inverse))
                                                     : inverse_of_one_and(_mm512_mul_ps(x, depth));
        s = _mm512_mul_ps(x, inverse);
      }
      cols[i] = _mm512_fmadd_ps(s, _mm512_set1_ps(l.col_x[n]), _mm512_set1_ps(l.col[n]));
      rows[i] = _mm512_fmadd_ps(s, _mm512_set1_ps(l.row_x[n]), _mm512_set1_ps(l.row[n]));
      if (mode == BeamMode::fdk)
        weights[i] = _mm512_mul_ps(_mm512_mul_ps(inverse, inverse), _mm512_set1_ps(l.weight[n]));
    }
#pragma GCC unroll 8
    for (int64_t i = 0; i < at_once; ++i) {
      const float* middle = pixels + at[first + i].offset[n];
      const __m512 value = read_mode == StripReadMode::narrow ? from_narrow(middle, stride, cols[i], rows[i])
                           : read_mode == StripReadMode::wide ? from_wide(middle, stride, cols[i], rows[i])
                                                              : one_by_one(middle, stride, cols[i], rows[i]);
      __m512& sum = sums[first + i];
      sum = mode == BeamMode::fdk ? _mm512_fmadd_ps(weights[i], value, sum) : _mm512_add_ps(sum, value);
    }
  }
}

template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void collect(const ViewArrays& maps, const StripViews& windows, int64_t k, int64_t j0, int64_t i0,
             const StripSums& out) {
  StripLandings strip;
  land_strip<mode>(maps, windows, static_cast<double>(k), static_cast<double>(j0) + half_lines,
                   static_cast<double>(i0) + half_width, strip);
  LineLandings at[strip_lines];
  for (int64_t line = 0; line < strip_lines; ++line) land_line<mode>(strip, windows, line, at[line]);
  __m512 sums[strip_lines];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int64_t n = 0; n < windows.views; ++n) {
    const auto stride = static_cast<int64_t>(windows.stride[n]);
    switch (windows.read_mode[n]) {
      case StripReadMode::nothing: break;
      case StripReadMode::narrow: add_view<mode, StripReadMode::narrow>(at, n, windows.pixels[n], stride, sums); break;
      case StripReadMode::wide: add_view<mode, StripReadMode::wide>(at, n, windows.pixels[n], stride, sums); break;
      case StripReadMode::pixels: add_view<mode, StripReadMode::pixels>(at, n, windows.pixels[n], stride, sums); break;
    }
  }
  for (int64_t line = 0; line < strip_lines; ++line) {
    float* to = out.first + line * out.stride;
    _mm512_storeu_ps(to, out.added ? _mm512_add_ps(_mm512_loadu_ps(to), sums[line]) : sums[line]);
  }
}

}  // namespace

StripReadMode strip_read_mode(double col_step, double row_step, double depth_step) {
  const double cols = half_width * std::abs(col_step);
  if (!(half_width * std::abs(row_step) <= max_rows && half_width * std::abs(depth_step) <= max_bend))
    return StripReadMode::pixels;
  return cols <= max_narrow ? StripReadMode::narrow : cols <= max_wide ? StripReadMode::wide : StripReadMode::pixels;
}

StripMargin strip_margin(StripReadMode read_mode) {
  // The middle of a line is within half a pixel of the middle of the registers; one more pixel for rounding.
  const int64_t half = read_mode == StripReadMode::narrow ? narrow_half
                       : read_mode == StripReadMode::wide ? wide_half
                                                          : 1;
  return {2, half + 1};
}

void collect_strips(const BackProjectTask& task, const ViewArrays& maps, const StripViews& windows, int64_t k,
                    int64_t j0, int64_t i0, const StripSums& out) {
  if (task.cone == 0) return collect<BeamMode::parallel>(maps, windows, k, j0, i0, out);
  if (task.distance == DistanceMode::fdk) return collect<BeamMode::fdk>(maps, windows, k, j0, i0, out);
  collect<BeamMode::cone>(maps, windows, k, j0, i0, out);
}

}  // namespace tl::ops
#endif
