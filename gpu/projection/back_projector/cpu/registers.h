// Shared by the AVX-512 loops of the back-projector for any geometry: projection of a point into eight views, and
// reading pixels into registers. Elsewhere than on x86-64, only what the plain loops need.
#pragma once

#include <cstdint>

#include "gpu/device/cpu_variant.h"
#include "gpu/projection/back_projector/cpu/views.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {

// parallel: no division; cone: a divisor per voxel; fdk: also a weight per voxel.
enum class BeamMode { parallel, cone, fdk };

inline constexpr double max_pixels = 1e9;  // detector positions are clamped to this

#if defined(__x86_64__)

// Projection of one point into eight views: position (row, col), the pixel below it (r, c), and, relative to that
// pixel, the steps per voxel along x and y; `depth`, the divisor at the point, and its steps relative to it; the
// distance weight at the point.
struct EightProjectedVoxels {
  __m512d col, row, c, r, col_x, col_y, row_x, row_y, depth, depth_x, depth_y, weight;
};

template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline EightProjectedVoxels
    project_into_eight_views(const ViewArrays& m, std::size_t view, double k, double j, double i) {
  const __m512d one = _mm512_set1_pd(1.0), most = _mm512_set1_pd(max_pixels), least = _mm512_set1_pd(-max_pixels);
  const __m512d x = _mm512_set1_pd(i), y = _mm512_set1_pd(j), z = _mm512_set1_pd(k);
  EightProjectedVoxels at;
  at.col_x = _mm512_loadu_pd(&m.u[1][view]);
  at.col_y = _mm512_loadu_pd(&m.u[2][view]);
  at.row_x = _mm512_loadu_pd(&m.v[1][view]);
  at.row_y = _mm512_loadu_pd(&m.v[2][view]);
  at.col = _mm512_fmadd_pd(z, _mm512_loadu_pd(&m.u[3][view]), _mm512_loadu_pd(&m.u[0][view]));
  at.row = _mm512_fmadd_pd(z, _mm512_loadu_pd(&m.v[3][view]), _mm512_loadu_pd(&m.v[0][view]));
  at.col = _mm512_fmadd_pd(y, at.col_y, _mm512_fmadd_pd(x, at.col_x, at.col));
  at.row = _mm512_fmadd_pd(y, at.row_y, _mm512_fmadd_pd(x, at.row_x, at.row));
  at.depth = at.weight = one;
  at.depth_x = at.depth_y = _mm512_setzero_pd();
  if (mode == BeamMode::parallel) {
    at.col = _mm512_min_pd(_mm512_max_pd(at.col, least), most);
    at.row = _mm512_min_pd(_mm512_max_pd(at.row, least), most);
    at.c = _mm512_floor_pd(at.col);
    at.r = _mm512_floor_pd(at.row);
    return at;
  }
  const __m512d w1 = _mm512_loadu_pd(&m.w[1][view]), w2 = _mm512_loadu_pd(&m.w[2][view]);
  at.depth = _mm512_fmadd_pd(z, _mm512_loadu_pd(&m.w[3][view]), _mm512_loadu_pd(&m.w[0][view]));
  at.depth = _mm512_fmadd_pd(y, w2, _mm512_fmadd_pd(x, w1, at.depth));
  const __m512d inverse = _mm512_div_pd(one, at.depth);
  at.col = _mm512_min_pd(_mm512_max_pd(_mm512_mul_pd(at.col, inverse), least), most);
  at.row = _mm512_min_pd(_mm512_max_pd(_mm512_mul_pd(at.row, inverse), least), most);
  at.c = _mm512_floor_pd(at.col);
  at.r = _mm512_floor_pd(at.row);
  at.col_x = _mm512_mul_pd(_mm512_fnmadd_pd(at.c, w1, at.col_x), inverse);
  at.col_y = _mm512_mul_pd(_mm512_fnmadd_pd(at.c, w2, at.col_y), inverse);
  at.row_x = _mm512_mul_pd(_mm512_fnmadd_pd(at.r, w1, at.row_x), inverse);
  at.row_y = _mm512_mul_pd(_mm512_fnmadd_pd(at.r, w2, at.row_y), inverse);
  at.depth_x = _mm512_mul_pd(w1, inverse);
  at.depth_y = _mm512_mul_pd(w2, inverse);
  const __m512d ratio = _mm512_mul_pd(_mm512_loadu_pd(&m.axis_depth[view]), inverse);
  at.weight = _mm512_mul_pd(ratio, ratio);
  return at;
}

// Stores eight numbers as float into an array aligned to vectors.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline void store_eight(float* to, __m512d x) {
  _mm256_store_ps(to, _mm512_cvtpd_ps(x));
}

// The approximation has 14 bits, 28 after one Newton step.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 inverse_of(__m512 divisor) {
  const __m512 one = _mm512_set1_ps(1.0f), guess = _mm512_rcp14_ps(divisor);
  return _mm512_fmadd_ps(_mm512_fnmadd_ps(divisor, guess, one), guess, guess);
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") __attribute__((always_inline)) inline __m512 sixteen(const float* p) {
  return _mm512_loadu_ps(p);
}

// Eight pixels of a row and eight of the next row.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 two_rows(const float* p, int64_t stride) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps(p + stride), 1);
}

// Sixteen pairs of neighbouring pixels.
struct Neighbours {
  __m512 left, right;
};

// Pixels c and c + 1 of a row that begins at data[begin]; 0 for columns beyond `cols`, and for lanes in which `there`
// is not set.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline Neighbours neighbours(const float* data, __m512i begin, __m512i c, __m512i cols,
                                                            __mmask16 there) {
  const __m512i at = _mm512_add_epi32(begin, c), one = _mm512_set1_epi32(1);
  const __m512 zero = _mm512_setzero_ps();
  // Unsigned comparison, so that negative columns are excluded too.
  const __mmask16 left = _mm512_cmplt_epu32_mask(c, cols),
                  right = _mm512_cmplt_epu32_mask(_mm512_add_epi32(c, one), cols);
  return {_mm512_mask_i32gather_ps(zero, left & there, at, data, 4),
          _mm512_mask_i32gather_ps(zero, right & there, _mm512_add_epi32(at, one), data, 4)};
}

// The bilinear value `fr` below row r and `fc` right of column c of a view; pixels beyond the detector are 0.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 from_pixels(const BackProjectTask& task, const float* data, __m512i c,
                                                         __m512i r, __m512 fc, __m512 fr) {
  const __m512i cols = _mm512_set1_epi32(static_cast<int32_t>(task.cols)),
                rows = _mm512_set1_epi32(static_cast<int32_t>(task.rows));
  const __m512i under = _mm512_add_epi32(r, _mm512_set1_epi32(1));
  const __m512i begin = _mm512_mullo_epi32(r, cols);
  const Neighbours a = neighbours(data, begin, c, cols, _mm512_cmplt_epu32_mask(r, rows));
  const Neighbours b = neighbours(data, _mm512_add_epi32(begin, cols), c, cols, _mm512_cmplt_epu32_mask(under, rows));
  const __m512 upper = _mm512_fmadd_ps(fc, _mm512_sub_ps(a.right, a.left), a.left);
  const __m512 lower = _mm512_fmadd_ps(fc, _mm512_sub_ps(b.right, b.left), b.left);
  return _mm512_fmadd_ps(fr, _mm512_sub_ps(lower, upper), upper);
}

#endif

}  // namespace tl::ops
