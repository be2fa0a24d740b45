// Back-projects voxel columns along z of a circular cone scan with AVX-512: the two detector columns are interpolated
// in registers and permuted.
#include "gpu/projection/back_projector/cpu/cone_columns_avx512.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gpu/device/cpu_variant.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
#if defined(__x86_64__)
namespace {

constexpr int64_t max_views = 32;  // views between two accesses to the sums: a tile's detector strip stays in L2
constexpr int max_chunks = static_cast<int>(cone_column_slices / 16);

// Projection of one voxel column into each view of a group: weights of the left and the right detector column, rows per
// slice; for every sixteen slices the row of their middle, as a fraction and as the offset of the 32 rows around it in
// the view's copy.
struct ColumnLandings {
  alignas(64) float left[max_views], right[max_views], step[max_views];
  alignas(64) float fraction[max_chunks][max_views];
  alignas(64) int32_t offset[max_chunks][max_views];
};

struct WalkGroup {
  const ViewArrays* maps;
  int64_t first, views;  // of the maps
  int64_t cols, lanes, first_row;
  bool weighted;
};

// c[0] + c[1] i + c[2] j of eight views.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
inline __m512d eight_views(const std::array<std::vector<double>, 4>& c, std::size_t view, double i, double j) {
  const __m512d at_i = _mm512_fmadd_pd(_mm512_loadu_pd(&c[1][view]), _mm512_set1_pd(i), _mm512_loadu_pd(&c[0][view]));
  return _mm512_fmadd_pd(_mm512_loadu_pd(&c[2][view]), _mm512_set1_pd(j), at_i);
}

template <int chunks>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void land_columns(const WalkGroup& g, double k0, double j, double i, ColumnLandings& at) {
  const __m512d one = _mm512_set1_pd(1.0), edge = _mm512_set1_pd(static_cast<double>(g.cols));
  const __m256i lanes = _mm256_set1_epi32(static_cast<int32_t>(g.lanes));
  // Range of rows whose window lies in the copy; clamped rows read only zeros.
  const __m512d low = _mm512_set1_pd(static_cast<double>(g.first_row + cone_column_reach));
  const __m512d high = _mm512_set1_pd(static_cast<double>(g.first_row + g.lanes - cone_column_reach - 1));
  const __m256i start = _mm256_set1_epi32(static_cast<int32_t>(-g.first_row - cone_column_reach));
  for (int64_t n = 0; n < g.views; n += 8) {
    const auto view = static_cast<std::size_t>(g.first + n);
    const __m512d inverse = _mm512_div_pd(one, eight_views(g.maps->w, view, i, j));
    const __m512d ratio = _mm512_mul_pd(_mm512_loadu_pd(&g.maps->axis_depth[view]), inverse);
    const __m512d weight = g.weighted ? _mm512_mul_pd(ratio, ratio) : one;
    const __m512d at_col = _mm512_mul_pd(eight_views(g.maps->u, view, i, j), inverse);
    const __m512d col = _mm512_min_pd(_mm512_max_pd(at_col, _mm512_set1_pd(-1.0)), edge);
    const __m512d below = _mm512_floor_pd(col), right = _mm512_mul_pd(weight, _mm512_sub_pd(col, below));
    _mm256_store_ps(at.right + n, _mm512_cvtpd_ps(right));
    _mm256_store_ps(at.left + n, _mm512_cvtpd_ps(_mm512_sub_pd(weight, right)));
    const __m256i column = _mm256_mullo_epi32(_mm512_cvtpd_epi32(_mm512_add_pd(below, one)), lanes);
    const __m256i origin = _mm256_add_epi32(column, start);
    const __m512d per_slice = _mm512_loadu_pd(&g.maps->v[3][view]), step = _mm512_mul_pd(per_slice, inverse);
    _mm256_store_ps(at.step + n, _mm512_cvtpd_ps(step));
    const __m512d numerator = _mm512_fmadd_pd(per_slice, _mm512_set1_pd(k0), eight_views(g.maps->v, view, i, j));
    const __m512d first = _mm512_mul_pd(numerator, inverse);
    for (int m = 0; m < chunks; ++m) {
      const __m512d middle = _mm512_fmadd_pd(step, _mm512_set1_pd(16 * m + 7.5), first);
      const __m512d row = _mm512_min_pd(_mm512_max_pd(middle, low), high), whole = _mm512_floor_pd(row);
      _mm256_store_ps(at.fraction[m] + n, _mm512_cvtpd_ps(_mm512_sub_pd(row, whole)));
      _mm256_store_si256(reinterpret_cast<__m256i*>(at.offset[m] + n),
                         _mm256_add_epi32(_mm512_cvtpd_epi32(whole), origin));
    }
  }
}

// A voxel is s rows from the row below its chunk's middle, -16 <= s < 16. Adding a large number while rounding down
// leaves floor(s) + 16 in the low bits of the sum, which index the permutation.
template <int chunks>
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void walk_views(const float* data, int64_t view_size, const WalkGroup& g, const ColumnLandings& at, float* sums) {
  constexpr float to_low_bits = 12582912.0f + static_cast<float>(cone_column_reach);  // 1.5 * 2^23
  const __m512 magic = _mm512_set1_ps(to_low_bits);
  const __m512 lane = _mm512_setr_ps(-7.5f, -6.5f, -5.5f, -4.5f, -3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f,
                                     4.5f, 5.5f, 6.5f, 7.5f);
  const __m512i one = _mm512_set1_epi32(1);
  __m512 sum[chunks];
  for (int m = 0; m < chunks; ++m) sum[m] = _mm512_loadu_ps(sums + 16 * m);
  for (int64_t n = 0; n < g.views; ++n, data += view_size) {
    const __m512 left = _mm512_set1_ps(at.left[n]), right = _mm512_set1_ps(at.right[n]);
    const __m512 steps = _mm512_mul_ps(lane, _mm512_set1_ps(at.step[n]));
#pragma GCC unroll 8
    for (int m = 0; m < chunks; ++m) {
      const float *a = data + at.offset[m][n], *b = a + g.lanes;
      const __m512 low = _mm512_fmadd_ps(right, _mm512_loadu_ps(b), _mm512_mul_ps(left, _mm512_loadu_ps(a)));
      const __m512 high = _mm512_fmadd_ps(right, _mm512_loadu_ps(b + 16), _mm512_mul_ps(left, _mm512_loadu_ps(a + 16)));
      const __m512 s = _mm512_add_ps(steps, _mm512_set1_ps(at.fraction[m][n]));
      const __m512 shifted = _mm512_add_round_ps(s, magic, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
      const __m512 fraction = _mm512_sub_ps(s, _mm512_sub_ps(shifted, magic));
      const __m512i k = _mm512_castps_si512(shifted);
      const __m512 below = _mm512_permutex2var_ps(low, k, high);
      const __m512 above = _mm512_permutex2var_ps(low, _mm512_add_epi32(k, one), high);
      sum[m] = _mm512_fmadd_ps(fraction, _mm512_sub_ps(above, below), _mm512_add_ps(sum[m], below));
    }
  }
  for (int m = 0; m < chunks; ++m) _mm512_storeu_ps(sums + 16 * m, sum[m]);
}

template <int chunks>
void walk_tile(const WalkGroup& g, const float* data, const ColumnTile& tile, int64_t k0) {
  ColumnLandings at;
  float* sums = tile.sums;
  const int64_t view_size = (g.cols + column_padding) * g.lanes;
  for (int64_t j = tile.j0; j < tile.j1; ++j)
    for (int64_t i = tile.i0; i < tile.i1; ++i, sums += tile.stride) {
      land_columns<chunks>(g, static_cast<double>(k0), static_cast<double>(j), static_cast<double>(i), at);
      walk_views<chunks>(data, view_size, g, at, sums);
    }
}

}  // namespace

bool cone_columns_fit(const BackProjectTask& task) {
  constexpr double most = 15.0 / 7.5;  // rows per slice
  const double x = static_cast<double>(task.nx - 1), y = static_cast<double>(task.ny - 1);
  return std::all_of(task.maps, task.maps + task.views, [&](const ViewMap& m) {
    const double nearest = m.w[0] + std::min(0.0, m.w[1] * x) + std::min(0.0, m.w[2] * y);
    return nearest > 0 && std::abs(m.v[3]) <= most * nearest;
  });
}

void add_cone_columns(const BackProjectTask& task, const ViewArrays& maps, const ColumnCopy& copy,
                      const ColumnTile& tile, int64_t k0) {
  const int64_t view_size = (task.cols + column_padding) * copy.lanes;
  for (int64_t v = 0; v < copy.views; v += max_views) {
    const WalkGroup g{&maps,      copy.first_view + v, std::min(max_views, copy.views - v), task.cols,
                      copy.lanes, copy.first_row,      task.distance == DistanceMode::fdk};
    const float* data = copy.data + v * view_size;
    switch (tile.lanes) {
      case 16: walk_tile<1>(g, data, tile, k0); break;
      case 32: walk_tile<2>(g, data, tile, k0); break;
      case 64: walk_tile<4>(g, data, tile, k0); break;
      default: walk_tile<8>(g, data, tile, k0); break;
    }
  }
}

#else

// Without such registers no column is ever added by this loop.
bool cone_columns_fit(const BackProjectTask&) { return false; }
void add_cone_columns(const BackProjectTask&, const ViewArrays&, const ColumnCopy&, const ColumnTile&, int64_t) {
  TL_CHECK(false, "no AVX-512 here");
}

#endif
}  // namespace tl::ops
