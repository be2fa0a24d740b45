// Sums views for blocks of 16 x 8 voxels of a plane slice: with AVX-512 the detector line is permuted in registers,
// otherwise pixels are gathered.
#include "gpu/projection/back_projector/cpu/plane_lanes.h"

#include <algorithm>
#include <cmath>

#include "gpu/device/cpu_variant.h"
#include "gpu/operator/bilinear_slopes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr auto rows = static_cast<int>(plane_block_y);
constexpr int reach = 16;  // pixels in registers below and above the position of the block's middle

// One quantity for each view: [0] its value at the middle of a block, [1] and [2] its steps per voxel.
using Numbers = float[3][max_plane_views + 8];

// Projection of a block into each view, relative to pixel c, the one below the position of the block's middle: voxel
// (i, j) from the middle lies s = (n0 + n1 i + n2 j) / w pixels from c, and moves by (m0 + m1 i + m2 j - s dw) / w. w
// and dw are given at the middle and per voxel.
struct PlaneLandings {
  alignas(64) Numbers n, m, w, dw;
  alignas(64) int32_t offset[max_plane_views + 8];  // offset of 32 pixels in the view's line
  int32_t slow[max_plane_views], slow_count;        // views for the slow loop
};

// Minimum distance from a pixel centre at which rounding cannot change the slope.
constexpr double near_kink = 1e-5;

#if defined(__x86_64__)

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline __m512d at_middle(const double* const c[3], int64_t v, double i, double j) {
  const __m512d along = _mm512_fmadd_pd(_mm512_loadu_pd(c[1] + v), _mm512_set1_pd(i), _mm512_loadu_pd(c[0] + v));
  return _mm512_fmadd_pd(_mm512_loadu_pd(c[2] + v), _mm512_set1_pd(j), along);
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") inline void store_floats(float* to, __m512d x) {
  _mm256_storeu_ps(to, _mm512_cvtpd_ps(x));
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") inline __mmask8 is_whole(__m512d x) {
  const __m512d off = _mm512_abs_pd(_mm512_sub_pd(x, _mm512_roundscale_pd(x, 0)));
  return _mm512_cmp_pd_mask(off, _mm512_set1_pd(near_kink), _CMP_LT_OQ);
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") inline __m512 along_row(const Numbers& c, int64_t v, __m512 lane) {
  return _mm512_fmadd_ps(lane, _mm512_set1_ps(c[1][v]), _mm512_set1_ps(c[0][v]));
}
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline __m512 down(const Numbers& c, int64_t v, __m512 y, __m512 at_row) {
  return _mm512_fmadd_ps(y, _mm512_set1_ps(c[2][v]), at_row);
}

template <PlaneOutputs want>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void land_plane(const PlaneLines& lines, double j, double i, PlaneLandings& at) {
  constexpr double half_x = 0.5 * (plane_block_x - 1), half_y = 0.5 * (plane_block_y - 1);
  const __m512d low = _mm512_set1_pd(-reach - 1), high = _mm512_set1_pd(static_cast<double>(lines.cols + reach));
  const __m256i origin = _mm256_set1_epi32(static_cast<int32_t>(plane_padding) - reach);
  at.slow_count = 0;
  for (int64_t v = 0; v < lines.views; v += 8) {
    const __m512d w = at_middle(lines.w, v, i, j), u = at_middle(lines.u, v, i, j);
    const __m512d inverse = _mm512_div_pd(_mm512_set1_pd(1), w);
    const __m512d col = _mm512_mul_pd(u, inverse), clamped = _mm512_min_pd(_mm512_max_pd(col, low), high);
    const __m512d c = _mm512_floor_pd(clamped);
    __m512d n[3] = {_mm512_fnmadd_pd(c, w, u)}, ws[3] = {w};
    for (int a = 1; a < 3; ++a) {
      ws[a] = _mm512_loadu_pd(lines.w[a] + v);
      n[a] = _mm512_fnmadd_pd(c, ws[a], _mm512_loadu_pd(lines.u[a] + v));
    }
    for (int a = 0; a < 3; ++a) {
      store_floats(at.n[a] + v, n[a]);
      store_floats(at.w[a] + v, ws[a]);
    }
    for (int a = 0; a < 3 && want == PlaneOutputs::both; ++a) {
      const __m512d du = a == 0 ? at_middle(lines.du, v, i, j) : _mm512_loadu_pd(lines.du[a] + v);
      const __m512d dw = a == 0 ? at_middle(lines.dw, v, i, j) : _mm512_loadu_pd(lines.dw[a] + v);
      store_floats(at.m[a] + v, _mm512_fnmadd_pd(c, dw, du));
      store_floats(at.dw[a] + v, dw);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at.offset + v), _mm256_add_epi32(_mm512_cvtpd_epi32(c), origin));
    // The corners have the extreme positions. Also slow: rows or columns of voxels that project exactly onto pixel
    // centres.
    __mmask8 slow = 0;
    const __mmask8 whole_steps = is_whole(_mm512_mul_pd(n[1], inverse)) & is_whole(_mm512_mul_pd(n[2], inverse));
    for (int corner = 0; corner < 4; ++corner) {
      const __m512d x = _mm512_set1_pd((corner & 1) != 0 ? half_x : -half_x),
                    y = _mm512_set1_pd((corner & 2) != 0 ? half_y : -half_y);
      const __m512d up = _mm512_fmadd_pd(n[2], y, _mm512_fmadd_pd(n[1], x, n[0]));
      const __m512d down = _mm512_fmadd_pd(ws[2], y, _mm512_fmadd_pd(ws[1], x, ws[0]));
      slow |= _mm512_cmp_pd_mask(_mm512_abs_pd(up), _mm512_mul_pd(down, _mm512_set1_pd(reach - 0.1)), _CMP_GT_OQ);
      if (corner == 0 && whole_steps != 0) slow |= whole_steps & is_whole(_mm512_div_pd(up, down));
    }
    slow &= _mm512_cmp_pd_mask(col, clamped, _CMP_EQ_OQ);  // clamped views contribute zeros only
    for (int64_t k = v; k < std::min(v + 8, lines.views); ++k)
      if ((slow >> (k - v) & 1) != 0) at.slow[at.slow_count++] = static_cast<int32_t>(k);
  }
}

// Interpolation tables as in squares.cpp: a voxel s pixels from c is in the interval of pixel k = floor(s), value s
// slope[k] + start[k]; adding a large number to s leaves k + 16 in the low bits.
template <PlaneOutputs want>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void fast_views(const PlaneLines& lines, const PlaneLandings& at, PlaneBlock& block) {
  constexpr float to_low_bits = 12582912.0f + reach;  // 1.5 * 2^23
  const __m512 magic = _mm512_set1_ps(to_low_bits), two = _mm512_set1_ps(2.0f);
  const __m512 lane = _mm512_setr_ps(-7.5f, -6.5f, -5.5f, -4.5f, -3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f,
                                     4.5f, 5.5f, 6.5f, 7.5f);
  const __m512 k_high = _mm512_add_ps(lane, _mm512_set1_ps(7.5f)), k_low = _mm512_sub_ps(k_high, _mm512_set1_ps(16.0f));
  __m512 value[rows], slope[rows];
  for (int j = 0; j < rows; ++j) value[j] = slope[j] = _mm512_setzero_ps();
  int32_t next_slow = 0;
  for (int64_t v = 0; v < lines.views; ++v) {
    if (next_slow < at.slow_count && at.slow[next_slow] == v) {
      ++next_slow;
      continue;
    }
    const float* line = lines.data + v * lines.stride + at.offset[v];
    const __m512 value_low = _mm512_loadu_ps(line), value_high = _mm512_loadu_ps(line + 16);
    const __m512 slope_low = _mm512_sub_ps(_mm512_loadu_ps(line + 1), value_low);
    const __m512 slope_high = _mm512_sub_ps(_mm512_loadu_ps(line + 17), value_high);
    const __m512 start_low = _mm512_fnmadd_ps(k_low, slope_low, value_low);
    const __m512 start_high = _mm512_fnmadd_ps(k_high, slope_high, value_high);
    const __m512 n = along_row(at.n, v, lane), m = along_row(at.m, v, lane);
    const __m512 w = along_row(at.w, v, lane), dw = along_row(at.dw, v, lane);
#pragma GCC unroll 8
    for (int j = 0; j < rows; ++j) {
      const __m512 y = _mm512_set1_ps(static_cast<float>(j) - 0.5f * (rows - 1));
      const __m512 depth = down(at.w, v, y, w);
      const __m512 rough = _mm512_rcp14_ps(depth);
      const __m512 inverse = _mm512_mul_ps(rough, _mm512_fnmadd_ps(depth, rough, two));
      const __m512 s = _mm512_mul_ps(down(at.n, v, y, n), inverse);
      const __m512i k = _mm512_castps_si512(_mm512_add_round_ps(s, magic, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
      const __m512 piece = _mm512_permutex2var_ps(slope_low, k, slope_high);
      value[j] = _mm512_add_ps(value[j], _mm512_fmadd_ps(s, piece, _mm512_permutex2var_ps(start_low, k, start_high)));
      if (want == PlaneOutputs::value) continue;
      const __m512 moved = _mm512_fnmadd_ps(s, down(at.dw, v, y, dw), down(at.m, v, y, m));
      slope[j] = _mm512_fmadd_ps(_mm512_mul_ps(moved, inverse), piece, slope[j]);
    }
  }
  for (int j = 0; j < rows; ++j) {
    _mm512_store_ps(block.value + j * plane_block_x, value[j]);
    _mm512_store_ps(block.slope + j * plane_block_x, slope[j]);
  }
}

#else

template <PlaneOutputs want>
void land_plane(const PlaneLines&, double, double, PlaneLandings&) {
  TL_CHECK(false, "no AVX-512 here");
}
template <PlaneOutputs want>
void fast_views(const PlaneLines&, const PlaneLandings&, PlaneBlock&) {
  TL_CHECK(false, "no AVX-512 here");
}

#endif

// Adds one view with one position per voxel, in double; at a kink the mean of the one-sided slopes.
__attribute__((always_inline)) inline void add_view(const PlaneLines& lines, int64_t v, double j0, double i0,
                                                    PlaneBlock& block) {
  const float* line = lines.data + v * lines.stride + plane_padding;
  const auto affine = [v](const double* const c[3], double i, double j) { return c[0][v] + c[1][v] * i + c[2][v] * j; };
  const auto last = static_cast<double>(lines.cols);
  for (int64_t n = 0; n < plane_block_x * plane_block_y; ++n) {
    const int64_t row = n / plane_block_x;
    const double i = i0 + static_cast<double>(n % plane_block_x), j = j0 + static_cast<double>(row);
    const double inverse = 1 / affine(lines.w, i, j), landing = affine(lines.u, i, j) * inverse;
    const double col = std::min(std::max(landing, -2.0), last + 1);  // pixels beyond both ends are zero
    const double below = std::floor(col + kink), fraction = std::max(col - below, 0.0);
    const float* p = line + static_cast<int64_t>(below);
    const double right = static_cast<double>(p[1]) - static_cast<double>(p[0]);
    const double left = static_cast<double>(p[0]) - static_cast<double>(p[-1]);
    const double piece = fraction < kink ? 0.5 * (left + right) : right;
    const double moved = (affine(lines.du, i, j) - landing * affine(lines.dw, i, j)) * inverse;
    block.value[n] += static_cast<float>(static_cast<double>(p[0]) + fraction * right);
    block.slope[n] += static_cast<float>(moved * piece);
  }
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void add_view_avx512(const PlaneLines& lines, int64_t v, double j0, double i0, PlaneBlock& block) {
  add_view(lines, v, j0, i0, block);
}
TL_TARGET("avx2,fma") void block_avx2(const PlaneLines& lines, double j0, double i0, PlaneBlock& block) {
  for (int64_t v = 0; v < lines.views; ++v) add_view(lines, v, j0, i0, block);
}
void block_plain(const PlaneLines& lines, double j0, double i0, PlaneBlock& block) {
  for (int64_t v = 0; v < lines.views; ++v) add_view(lines, v, j0, i0, block);
}

}  // namespace

void collect_plane_block(const PlaneLines& lines, double j0, double i0, PlaneOutputs want, PlaneBlock& block) {
  const CpuVariant variant = best_cpu_variant();
  if (variant == CpuVariant::avx512) {
    PlaneLandings at;
    const auto land = want == PlaneOutputs::value ? land_plane<PlaneOutputs::value> : land_plane<PlaneOutputs::both>;
    land(lines, j0 + 0.5 * (plane_block_y - 1), i0 + 0.5 * (plane_block_x - 1), at);
    const auto fast = want == PlaneOutputs::value ? fast_views<PlaneOutputs::value> : fast_views<PlaneOutputs::both>;
    fast(lines, at, block);
    for (int32_t n = 0; n < at.slow_count; ++n) add_view_avx512(lines, at.slow[n], j0, i0, block);
    return;
  }
  std::fill_n(block.value, plane_block_x * plane_block_y, 0.0f);
  std::fill_n(block.slope, plane_block_x * plane_block_y, 0.0f);
  if (variant == CpuVariant::avx2)
    block_avx2(lines, j0, i0, block);
  else
    block_plain(lines, j0, i0, block);
}

}  // namespace tl::ops
