// Sums a group of views for one block of 4 x 4 voxels: with AVX-512, the 8 x 8 pixels around a block are kept in four
// registers and permuted.
#include "gpu/projection/back_projector/cpu/block_views.h"

#include <algorithm>
#include <cmath>

#include "gpu/projection/back_projector/cpu/registers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr int below = 3, window = 8;  // window: pixels before the position of the block's middle, and in total
// Beyond this distance from the middle [pixels], float positions within a block are too imprecise.
constexpr double float_reach = 24;

// How a view is read. nothing: the block misses the detector; permute: the whole window is on the detector;
// permute_flat: like permute, and the voxels project within one row of the middle; gather_pixels: pixel by pixel, each
// tested; exactly: voxel by voxel.
enum BlockReadMode : int32_t { nothing, permute, permute_flat, gather_pixels, exactly };

// Projection of a block into each view of a group. The voxel at offset (x, y) from the middle has its column at (col_at
// + x col_x + y col_y) / (1 + x depth_x + y depth_y), relative to pixel (row, col) below the middle's position; rows
// likewise. Its weight is `weight` over the square of that divisor.
struct BlockLandings {
  alignas(64) float col_at[max_block_views], col_x[max_block_views], col_y[max_block_views];
  alignas(64) float row_at[max_block_views], row_x[max_block_views], row_y[max_block_views];
  alignas(64) float depth_x[max_block_views], depth_y[max_block_views], weight[max_block_views];
  alignas(64) int32_t col[max_block_views], row[max_block_views], read_mode[max_block_views];
};

// Offsets of the sixteen voxels from the middle.
constexpr float offset_x(int n) { return static_cast<float>(n % 4) - 1.5f; }
constexpr float offset_y(int n) {
  const int line = n / 4;
  return static_cast<float>(line) - 1.5f;
}
constexpr double max_offset = 1.5;
constexpr double max_window = 2.999;  // largest distance from the middle: 3 pixels less rounding
constexpr double max_flat = 0.999;    // largest distance for permute_flat: one row
constexpr int flat_below = 1;         // rows of the flat window before the middle's position

// Contribution of a view to a voxel, by definition: the bilinear value at its detector position times the distance
// weight.
float value_at(const BlockScan& scan, int64_t view, int64_t k, int64_t j, int64_t i) {
  const BackProjectTask& task = *scan.task;
  const ProjectedVoxel at =
      project_voxel(task, task.maps[view], static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
  if (!at.inside) return 0.0f;
  const float* data = scan.projections + view * task.rows * task.cols;
  const Taps<float> t = taps<float>(task, at);
  return t.weight[0] * data[t.index[0]] + t.weight[1] * data[t.index[1]] + t.weight[2] * data[t.index[2]] +
         t.weight[3] * data[t.index[3]];
}

// Adds one view to all voxels, by definition.
void add_exactly(const BlockScan& scan, int64_t view, int64_t k, int64_t j0, int64_t i0, float* sums) {
  for (int64_t n = 0; n < block_side * block_side; ++n)
    sums[n] += value_at(scan, view, k, j0 + n / block_side, i0 + n % block_side);
}

template <BeamMode mode>
__attribute__((always_inline)) inline void land_body(const BackProjectTask& task, const ViewArrays& m, int64_t first,
                                                     int64_t views, double k, double j, double i, BlockLandings& at) {
  const auto of = [&](const std::vector<double>& c) { return c.data() + first; };
  const double *u0 = of(m.u[0]), *u1 = of(m.u[1]), *u2 = of(m.u[2]), *u3 = of(m.u[3]);
  const double *v0 = of(m.v[0]), *v1 = of(m.v[1]), *v2 = of(m.v[2]), *v3 = of(m.v[3]);
  const double *w0 = of(m.w[0]), *w1 = of(m.w[1]), *w2 = of(m.w[2]), *w3 = of(m.w[3]);
  const double* axis_depth = of(m.axis_depth);
  const auto cols = static_cast<int32_t>(task.cols), rows = static_cast<int32_t>(task.rows);
  for (int64_t n = 0; n < views; ++n) {
    const double w = mode != BeamMode::parallel ? w0[n] + w1[n] * i + w2[n] * j + w3[n] * k : 1.0,
                 inverse = mode != BeamMode::parallel ? 1.0 / w : 1.0;
    const double u = (u0[n] + u1[n] * i + u2[n] * j + u3[n] * k) * inverse;
    const double v = (v0[n] + v1[n] * i + v2[n] * j + v3[n] * k) * inverse;
    const double col = std::min(std::max(u, -max_pixels), max_pixels);
    const double row = std::min(std::max(v, -max_pixels), max_pixels);
    const auto c0 = static_cast<int32_t>(col), r0 = static_cast<int32_t>(row);
    const int32_t c = c0 - (col < c0 ? 1 : 0), r = r0 - (row < r0 ? 1 : 0);
    const double c_shift = mode != BeamMode::parallel ? c : 0.0, r_shift = mode != BeamMode::parallel ? r : 0.0;
    const double col_x = (u1[n] - c_shift * w1[n]) * inverse, col_y = (u2[n] - c_shift * w2[n]) * inverse;
    const double row_x = (v1[n] - r_shift * w1[n]) * inverse, row_y = (v2[n] - r_shift * w2[n]) * inverse;
    const double depth_x = mode != BeamMode::parallel ? w1[n] * inverse : 0.0,
                 depth_y = mode != BeamMode::parallel ? w2[n] * inverse : 0.0;
    at.col[n] = c;
    at.row[n] = r;
    at.col_at[n] = static_cast<float>(col - c);
    at.row_at[n] = static_cast<float>(row - r);
    at.col_x[n] = static_cast<float>(col_x);
    at.col_y[n] = static_cast<float>(col_y);
    at.row_x[n] = static_cast<float>(row_x);
    at.row_y[n] = static_cast<float>(row_y);
    at.depth_x[n] = static_cast<float>(depth_x);
    at.depth_y[n] = static_cast<float>(depth_y);
    const double ratio = axis_depth[n] * inverse;
    at.weight[n] = static_cast<float>(ratio * ratio);
    // Largest distance of a voxel's detector position from the middle's, times (1 - bend).
    const double bend = max_offset * (std::abs(depth_x) + std::abs(depth_y));
    const double wide = std::max(std::abs(col_x) + std::abs(col_y), std::abs(row_x) + std::abs(row_y));
    const double reach = max_offset * wide + bend;
    const bool fits = reach <= max_window * (1 - bend);
    const bool coarse = !(reach <= float_reach * (1 - bend)) || bend > 0.5 || !(w > 0);
    const bool inside = c >= below && c + window - below <= cols && r >= below && r + window - below <= rows;
    const bool off = c + window - below <= 0 || c - below >= cols || r + window - below <= 0 || r - below >= rows;
    at.read_mode[n] = coarse ? exactly : !fits ? gather_pixels : off ? nothing : inside ? permute : gather_pixels;
  }
}

// Adds one view through the window in plain loops: 0 <= col + below < window - 1, rows likewise.
template <BeamMode mode>
__attribute__((always_inline)) inline void window_body(const BlockLandings& at, int64_t n, const float* data,
                                                       int64_t stride, float* sums) {
  for (int v = 0; v < 16; ++v) {
    const float x = offset_x(v), y = offset_y(v);
    const float inverse = mode != BeamMode::parallel ? 1.0f / (1.0f + x * at.depth_x[n] + y * at.depth_y[n]) : 1.0f;
    const float col = (at.col_at[n] + x * at.col_x[n] + y * at.col_y[n]) * inverse + static_cast<float>(below);
    const float row = (at.row_at[n] + x * at.row_x[n] + y * at.row_y[n]) * inverse + static_cast<float>(below);
    const auto c = static_cast<int32_t>(col), r = static_cast<int32_t>(row);
    const float fc = col - static_cast<float>(c), fr = row - static_cast<float>(r);
    const float *a = data + r * stride + c, *b = a + stride;
    const float a0 = a[0], b0 = b[0];
    const float top = a0 + fc * (a[1] - a0), bottom = b0 + fc * (b[1] - b0);
    const float weight = mode == BeamMode::fdk ? at.weight[n] * inverse * inverse : 1.0f;
    sums[v] += weight * (top + fr * (bottom - top));
  }
}

template <BeamMode mode>
__attribute__((always_inline)) inline void plain_body(const BlockScan& scan, int64_t first, int64_t views, int64_t k,
                                                      int64_t j0, int64_t i0, float* sums) {
  BlockLandings at;
  land_body<mode>(*scan.task, *scan.maps, first, views, static_cast<double>(k), static_cast<double>(j0) + max_offset,
                  static_cast<double>(i0) + max_offset, at);
  std::fill_n(sums, block_side * block_side, 0.0f);
  const int64_t cols = scan.task->cols, view_size = scan.task->rows * cols;
  for (int64_t n = 0; n < views; ++n) {
    const float* data = scan.projections + (first + n) * view_size;
    if (at.read_mode[n] == permute)
      window_body<mode>(at, n, data + (at.row[n] - below) * cols + at.col[n] - below, cols, sums);
    else if (at.read_mode[n] != nothing)
      add_exactly(scan, first + n, k, j0, i0, sums);
  }
}

template <BeamMode mode>
TL_TARGET("avx2,fma")
void collect_avx2(const BlockScan& scan, int64_t first, int64_t views, int64_t k, int64_t j0, int64_t i0, float* sums) {
  plain_body<mode>(scan, first, views, k, j0, i0, sums);
}
template <BeamMode mode>
void collect_plain(const BlockScan& scan, int64_t first, int64_t views, int64_t k, int64_t j0, int64_t i0,
                   float* sums) {
  plain_body<mode>(scan, first, views, k, j0, i0, sums);
}

#if defined(__x86_64__)

// land_body for eight views at a time.
template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline void land_avx512(const BackProjectTask& task, const ViewArrays& maps, int64_t first, int64_t views, double k,
                        double j, double i, BlockLandings& at) {
  const __m512d one = _mm512_set1_pd(1.0);
  const __m256i low = _mm256_set1_epi32(below - 1), cols = _mm256_set1_epi32(static_cast<int32_t>(task.cols));
  const __m256i rows = _mm256_set1_epi32(static_cast<int32_t>(task.rows));
  const __m256i before = _mm256_set1_epi32(below - window), after = _mm256_set1_epi32(window - below);
  for (int64_t n = 0; n < views; n += 8) {
    const EightProjectedVoxels e = project_into_eight_views<mode>(maps, static_cast<std::size_t>(first + n), k, j, i);
    store_eight(at.col_at + n, _mm512_sub_pd(e.col, e.c));
    store_eight(at.row_at + n, _mm512_sub_pd(e.row, e.r));
    store_eight(at.col_x + n, e.col_x);
    store_eight(at.col_y + n, e.col_y);
    store_eight(at.row_x + n, e.row_x);
    store_eight(at.row_y + n, e.row_y);
    __m512d bend = _mm512_setzero_pd();
    __mmask8 coarse = 0;
    if (mode != BeamMode::parallel) {
      store_eight(at.depth_x + n, e.depth_x);
      store_eight(at.depth_y + n, e.depth_y);
      store_eight(at.weight + n, e.weight);
      bend =
          _mm512_mul_pd(_mm512_set1_pd(max_offset), _mm512_add_pd(_mm512_abs_pd(e.depth_x), _mm512_abs_pd(e.depth_y)));
      coarse = static_cast<__mmask8>(_mm512_cmp_pd_mask(bend, _mm512_set1_pd(0.5), _CMP_GT_OQ) |
                                     _mm512_cmp_pd_mask(e.depth, _mm512_setzero_pd(), _CMP_NGT_UQ));
    }
    const __m256i ci = _mm512_cvtpd_epi32(e.c), ri = _mm512_cvtpd_epi32(e.r);
    _mm256_store_si256(reinterpret_cast<__m256i*>(at.col + n), ci);
    _mm256_store_si256(reinterpret_cast<__m256i*>(at.row + n), ri);
    const __m512d high = _mm512_add_pd(_mm512_abs_pd(e.row_x), _mm512_abs_pd(e.row_y));
    const __m512d wide = _mm512_max_pd(_mm512_add_pd(_mm512_abs_pd(e.col_x), _mm512_abs_pd(e.col_y)), high);
    const __m512d reach = _mm512_fmadd_pd(_mm512_set1_pd(max_offset), wide, bend), rest = _mm512_sub_pd(one, bend);
    const __mmask8 fits = _mm512_cmp_pd_mask(reach, _mm512_mul_pd(_mm512_set1_pd(max_window), rest), _CMP_LE_OQ);
    const __mmask8 flat = _mm512_cmp_pd_mask(_mm512_fmadd_pd(_mm512_set1_pd(max_offset), high, bend),
                                             _mm512_mul_pd(_mm512_set1_pd(max_flat), rest), _CMP_LE_OQ);
    coarse |= _mm512_cmp_pd_mask(reach, _mm512_mul_pd(_mm512_set1_pd(float_reach), rest), _CMP_NLE_UQ);
    const __m256i c_end = _mm256_add_epi32(ci, after), r_end = _mm256_add_epi32(ri, after);
    const __mmask8 inside =
        static_cast<__mmask8>(_mm256_cmpgt_epi32_mask(ci, low) & _mm256_cmple_epi32_mask(c_end, cols) &
                              _mm256_cmpgt_epi32_mask(ri, low) & _mm256_cmple_epi32_mask(r_end, rows));
    const __m256i c_begin = _mm256_sub_epi32(ci, _mm256_set1_epi32(below)),
                  r_begin = _mm256_sub_epi32(ri, _mm256_set1_epi32(below));
    const __mmask8 off =
        static_cast<__mmask8>(_mm256_cmple_epi32_mask(ci, before) | _mm256_cmpge_epi32_mask(c_begin, cols) |
                              _mm256_cmple_epi32_mask(ri, before) | _mm256_cmpge_epi32_mask(r_begin, rows));
    __m256i read_mode = _mm256_set1_epi32(gather_pixels);
    read_mode = _mm256_mask_mov_epi32(read_mode, static_cast<__mmask8>(fits & inside), _mm256_set1_epi32(permute));
    read_mode =
        _mm256_mask_mov_epi32(read_mode, static_cast<__mmask8>(fits & inside & flat), _mm256_set1_epi32(permute_flat));
    read_mode = _mm256_mask_mov_epi32(read_mode, static_cast<__mmask8>(fits & off), _mm256_set1_epi32(nothing));
    read_mode = _mm256_mask_mov_epi32(read_mode, coarse, _mm256_set1_epi32(exactly));
    _mm256_store_si256(reinterpret_cast<__m256i*>(at.read_mode + n), read_mode);
  }
}

// Detector positions of sixteen voxels, relative to the pixel below the middle's position, and their weights.
struct Positions {
  __m512 col, row, weight;
};

template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline void positions(const BlockLandings& at, int64_t n, __m512 x, __m512 y,
                                                     Positions& p) {
  const auto affine = [&](const float* c0, const float* cx, const float* cy)
      TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") __attribute__((always_inline)) {
    return _mm512_fmadd_ps(y, _mm512_set1_ps(cy[n]), _mm512_fmadd_ps(x, _mm512_set1_ps(cx[n]), _mm512_set1_ps(c0[n])));
  };
  p.col = affine(at.col_at, at.col_x, at.col_y);
  p.row = affine(at.row_at, at.row_x, at.row_y);
  p.weight = _mm512_set1_ps(1.0f);
  if (mode == BeamMode::parallel) return;
  const __m512 one = _mm512_set1_ps(1.0f);
  const __m512 divisor =
      _mm512_fmadd_ps(y, _mm512_set1_ps(at.depth_y[n]), _mm512_fmadd_ps(x, _mm512_set1_ps(at.depth_x[n]), one));
  const __m512 inverse = inverse_of(divisor);
  p.col = _mm512_mul_ps(p.col, inverse);
  p.row = _mm512_mul_ps(p.row, inverse);
  if (mode == BeamMode::fdk) p.weight = _mm512_mul_ps(_mm512_set1_ps(at.weight[n]), _mm512_mul_ps(inverse, inverse));
}

// Adding a large number while rounding down leaves floor + 3, the pixel index in the window, in the low bits.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 from_window(const Positions& p, const float* data, int64_t stride) {
  const __m512 magic = _mm512_set1_ps(12582912.0f + static_cast<float>(below));  // 1.5 * 2^23
  const __m512 c = _mm512_add_round_ps(p.col, magic, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 r = _mm512_add_round_ps(p.row, magic, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 fc = _mm512_sub_ps(p.col, _mm512_sub_ps(c, magic)), fr = _mm512_sub_ps(p.row, _mm512_sub_ps(r, magic));
  const __m512i index = _mm512_add_epi32(_mm512_slli_epi32(_mm512_castps_si512(r), 3), _mm512_castps_si512(c));
  const __m512i right = _mm512_add_epi32(index, _mm512_set1_epi32(1));
  const __m512i down = _mm512_add_epi32(index, _mm512_set1_epi32(window));
  const __m512i diagonal = _mm512_add_epi32(index, _mm512_set1_epi32(window + 1));
  const __m512i half = _mm512_set1_epi32(32);  // selects the upper or lower half of the window
  const __mmask16 low = _mm512_test_epi32_mask(index, half), low_down = _mm512_test_epi32_mask(down, half);
  const __m512 t0 = two_rows(data, stride), t1 = two_rows(data + 2 * stride, stride);
  const __m512 t2 = two_rows(data + 4 * stride, stride), t3 = two_rows(data + 6 * stride, stride);
  const __m512 a =
      _mm512_mask_blend_ps(low, _mm512_permutex2var_ps(t0, index, t1), _mm512_permutex2var_ps(t2, index, t3));
  const __m512 b =
      _mm512_mask_blend_ps(low, _mm512_permutex2var_ps(t0, right, t1), _mm512_permutex2var_ps(t2, right, t3));
  const __m512 d =
      _mm512_mask_blend_ps(low_down, _mm512_permutex2var_ps(t0, down, t1), _mm512_permutex2var_ps(t2, down, t3));
  const __m512 e = _mm512_mask_blend_ps(low_down, _mm512_permutex2var_ps(t0, diagonal, t1),
                                        _mm512_permutex2var_ps(t2, diagonal, t3));
  const __m512 top = _mm512_fmadd_ps(fc, _mm512_sub_ps(b, a), a), bottom = _mm512_fmadd_ps(fc, _mm512_sub_ps(e, d), d);
  return _mm512_fmadd_ps(fr, _mm512_sub_ps(bottom, top), top);
}

// From four rows, if the voxels project within one row of the middle: two registers, half of the permutations.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
__attribute__((always_inline)) inline __m512 from_flat_window(const Positions& p, const float* data, int64_t stride) {
  const __m512 magic_col = _mm512_set1_ps(12582912.0f + static_cast<float>(below));
  const __m512 magic_row = _mm512_set1_ps(12582912.0f + static_cast<float>(flat_below));
  const __m512 c = _mm512_add_round_ps(p.col, magic_col, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 r = _mm512_add_round_ps(p.row, magic_row, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512 fc = _mm512_sub_ps(p.col, _mm512_sub_ps(c, magic_col));
  const __m512 fr = _mm512_sub_ps(p.row, _mm512_sub_ps(r, magic_row));
  const __m512i index = _mm512_add_epi32(_mm512_slli_epi32(_mm512_castps_si512(r), 3), _mm512_castps_si512(c));
  const __m512i right = _mm512_add_epi32(index, _mm512_set1_epi32(1));
  const __m512i down = _mm512_add_epi32(index, _mm512_set1_epi32(window));
  const __m512i diagonal = _mm512_add_epi32(index, _mm512_set1_epi32(window + 1));
  const __m512 t0 = two_rows(data, stride), t1 = two_rows(data + 2 * stride, stride);
  const __m512 a = _mm512_permutex2var_ps(t0, index, t1), b = _mm512_permutex2var_ps(t0, right, t1);
  const __m512 d = _mm512_permutex2var_ps(t0, down, t1), e = _mm512_permutex2var_ps(t0, diagonal, t1);
  const __m512 top = _mm512_fmadd_ps(fc, _mm512_sub_ps(b, a), a), bottom = _mm512_fmadd_ps(fc, _mm512_sub_ps(e, d), d);
  return _mm512_fmadd_ps(fr, _mm512_sub_ps(bottom, top), top);
}

// Gathers pixel by pixel. col and row: the pixel that the positions are relative to.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline __m512 one_by_one(const Positions& p, const float* data, const BackProjectTask& task, int32_t col, int32_t row) {
  const __m512 c = _mm512_floor_ps(p.col), r = _mm512_floor_ps(p.row);
  return from_pixels(task, data, _mm512_add_epi32(_mm512_cvtps_epi32(c), _mm512_set1_epi32(col)),
                     _mm512_add_epi32(_mm512_cvtps_epi32(r), _mm512_set1_epi32(row)), _mm512_sub_ps(p.col, c),
                     _mm512_sub_ps(p.row, r));
}

template <BeamMode mode>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void collect_avx512(const BlockScan& scan, int64_t first, int64_t views, int64_t k, int64_t j0, int64_t i0,
                    float* sums) {
  BlockLandings at;
  land_avx512<mode>(*scan.task, *scan.maps, first, views, static_cast<double>(k), static_cast<double>(j0) + max_offset,
                    static_cast<double>(i0) + max_offset, at);
  const __m512 x = _mm512_setr_ps(-1.5f, -0.5f, 0.5f, 1.5f, -1.5f, -0.5f, 0.5f, 1.5f, -1.5f, -0.5f, 0.5f, 1.5f, -1.5f,
                                  -0.5f, 0.5f, 1.5f);
  const __m512 y = _mm512_setr_ps(-1.5f, -1.5f, -1.5f, -1.5f, -0.5f, -0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1.5f,
                                  1.5f, 1.5f, 1.5f);
  const int64_t cols = scan.task->cols, view_size = scan.task->rows * cols;
  alignas(64) float exact[block_side * block_side] = {};
  __m512 sum = _mm512_setzero_ps();
  for (int64_t n = 0; n < views; ++n) {
    const float* data = scan.projections + (first + n) * view_size;
    if (at.read_mode[n] == nothing) continue;
    if (at.read_mode[n] == exactly) {
      add_exactly(scan, first + n, k, j0, i0, exact);
      continue;
    }
    Positions p;
    positions<mode>(at, n, x, y, p);
    const float* corner = data + at.col[n] - below;
    const __m512 value = at.read_mode[n] == permute_flat
                             ? from_flat_window(p, corner + (at.row[n] - flat_below) * cols, cols)
                         : at.read_mode[n] == permute ? from_window(p, corner + (at.row[n] - below) * cols, cols)
                                                      : one_by_one(p, data, *scan.task, at.col[n], at.row[n]);
    sum = _mm512_fmadd_ps(p.weight, value, sum);
  }
  _mm512_storeu_ps(sums, _mm512_add_ps(sum, _mm512_load_ps(exact)));
}

#else

template <BeamMode mode>
void collect_avx512(const BlockScan& scan, int64_t first, int64_t views, int64_t k, int64_t j0, int64_t i0,
                    float* sums) {
  plain_body<mode>(scan, first, views, k, j0, i0, sums);
}

#endif

template <BeamMode mode>
void collect(const BlockScan& scan, CpuVariant variant, int64_t first, int64_t views, int64_t k, int64_t j0, int64_t i0,
             float* sums) {
  switch (variant) {
    case CpuVariant::avx512: return collect_avx512<mode>(scan, first, views, k, j0, i0, sums);
    case CpuVariant::avx2: return collect_avx2<mode>(scan, first, views, k, j0, i0, sums);
    case CpuVariant::plain: return collect_plain<mode>(scan, first, views, k, j0, i0, sums);
  }
}

}  // namespace

void collect_block(const BlockScan& scan, CpuVariant variant, int64_t first, int64_t views, int64_t k, int64_t j0,
                   int64_t i0, float* sums) {
  if (scan.task->cone == 0) return collect<BeamMode::parallel>(scan, variant, first, views, k, j0, i0, sums);
  if (scan.task->distance == DistanceMode::fdk)
    return collect<BeamMode::fdk>(scan, variant, first, views, k, j0, i0, sums);
  collect<BeamMode::cone>(scan, variant, first, views, k, j0, i0, sums);
}

}  // namespace tl::ops
