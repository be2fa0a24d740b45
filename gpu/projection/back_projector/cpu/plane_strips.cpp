// Transposes the back-projection of a slice for strips of detector columns: their geometry in a slice, and the
// summation along their rays.
#include "gpu/projection/back_projector/cpu/plane_strips.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr int64_t padding = 32;  // number of zero voxels at both ends of a line, for windows that extend beyond it
constexpr int64_t tile = 16;     // side of the squares in which a slice is transposed [voxels]

// Registers provide for two voxels of a row per cell and 32 per strip, less a margin for rounding.
constexpr double widest_cell = 1.999, widest_strip = 30.99;

int64_t stride_of(int64_t length) { return (length + 2 * padding + tile - 1) / tile * tile; }

LineMap along_strip(LineMap map, PlaneSlice::LineDirection direction, bool mirrored) {
  if (direction == PlaneSlice::along_y)
    for (double* number : {map.u, map.w}) std::swap(number[1], number[2]);
  if (mirrored)
    for (double& number : map.u) number = -number;
  return map;
}

// Position at which the border of a column crosses row y: [0] + [1] y.
struct Crossing {
  double at[2];
  [[nodiscard]] double operator()(double y) const { return at[0] + at[1] * y; }
};

// Returns whether the strip can be summed; begin == end if its rays miss the slice.
bool plan(const LineMap& map, const PlaneSlice& slice, PlaneStrip& strip) {
  const double centre = static_cast<double>(strip.first) + 0.5 * strip_columns;
  const double along_x = map.u[1] - centre * map.w[1], along_y = map.u[2] - centre * map.w[2];
  strip.direction = std::abs(along_x) < std::abs(along_y) ? PlaneSlice::along_y : PlaneSlice::along_x;
  strip.mirrored = (strip.direction == PlaneSlice::along_y ? along_y : along_x) < 0;
  strip.begin = strip.end = 0;
  const LineMap m = along_strip(map, strip.direction, strip.mirrored);
  const PlaneSlice::Lines lines = slice.lines(strip.direction);
  const auto before = static_cast<double>(strip.mirrored ? -(strip.first + strip_columns) : strip.first);
  Crossing border[strip_columns + 1];
  double slope[strip_columns + 1];
  for (int64_t n = 0; n <= strip_columns; ++n) {
    const double column = before + static_cast<double>(n);
    slope[n] = m.u[1] - column * m.w[1];
    if (!(slope[n] > 0)) return false;
    border[n] = {{(column * m.w[0] - m.u[0]) / slope[n], (column * m.w[2] - m.u[2]) / slope[n]}};
  }
  const Crossing &first = border[0], &last = border[strip_columns];
  // Rows where first < length and last > -1.
  double low = 0, high = static_cast<double>(lines.count - 1);
  const auto narrow = [&](double at_zero, double per_row) {  // keeps the rows in which the sum is negative
    if (per_row > 0) high = std::min(high, -at_zero / per_row);
    if (per_row < 0) low = std::max(low, -at_zero / per_row);
    if (per_row == 0 && at_zero >= 0) high = -1;
  };
  narrow(first.at[0] - static_cast<double>(lines.length), first.at[1]);
  narrow(-1 - last.at[0], -last.at[1]);
  if (!(low <= high)) return true;
  strip.begin = static_cast<int64_t>(std::ceil(low));
  strip.end = static_cast<int64_t>(std::floor(high)) + 1;
  if (strip.begin >= strip.end) return true;
  for (const int64_t row : {strip.begin, strip.end - 1}) {
    const auto y = static_cast<double>(row);
    if (last(y) - first(y) > widest_strip) return false;
    for (int64_t n = 0; n < strip_columns; ++n)
      if (border[n + 1](y) - border[n](y) > widest_cell) return false;
    for (const double x : {first(y) - 1, first(y) + 2 * strip_columns + 1})
      if (!(m.w[0] + m.w[1] * x + m.w[2] * y > 0)) return false;
  }
  for (int n = 0; n < 2; ++n) {
    strip.start[n] = first.at[n];
    strip.stop[n] = last.at[n];
    strip.depth[n] = m.w[2 * n];
  }
  strip.deeper = m.w[1];
  strip.middle = 0.5 * static_cast<double>(strip.begin + strip.end);
  for (int64_t n = 0; n < strip_columns; ++n) {
    strip.begins[n] = static_cast<float>(border[n](strip.middle) - first(strip.middle));
    strip.leans[n] = static_cast<float>(border[n].at[1] - first.at[1]);
    strip.slope[n] = slope[n];
  }
  return true;
}

// Contributions of voxels to the two columns of their cell: the total, and the share of the second column divided by
// the slope.
struct CellSums {
  alignas(64) double all[strip_columns], behind[strip_columns];
};

#if defined(__x86_64__)

// Per-row quantities of the loop: first voxel of the window of 32, and, relative to it, the begin of the first cell,
// the voxel after the last cell, and the depth.
constexpr int64_t rows_at_once = 32;
struct RowNumbers {
  alignas(64) int32_t window[rows_at_once];
  alignas(64) float start[rows_at_once], stop[rows_at_once], depth[rows_at_once], row[rows_at_once];
};

constexpr float to_low_bits = 12582912.0f;  // 1.5 * 2^23: adding it leaves integers in the low bits

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void number_rows(const PlaneStrip& strip, int64_t row, RowNumbers& out) {
  const __m512d lane = _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7);
  for (int64_t n = 0; n < rows_at_once; n += 8) {
    const __m512d y = _mm512_add_pd(_mm512_set1_pd(static_cast<double>(row + n)), lane);
    const auto at = [&y](const double* c) TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
        __attribute__((always_inline)) {
      return _mm512_fmadd_pd(_mm512_set1_pd(c[1]), y, _mm512_set1_pd(c[0]));
    };
    const __m512d start = at(strip.start), window = _mm512_floor_pd(start);
    const __m512d stop = _mm512_sub_pd(_mm512_ceil_pd(at(strip.stop)), window);
    const __m512d depth = _mm512_fmadd_pd(_mm512_set1_pd(strip.deeper), window, at(strip.depth));
    _mm256_store_si256(reinterpret_cast<__m256i*>(out.window + n), _mm512_cvtpd_epi32(window));
    _mm256_store_ps(out.start + n, _mm512_cvtpd_ps(_mm512_sub_pd(start, window)));
    _mm256_store_ps(out.stop + n, _mm512_cvtpd_ps(_mm512_add_pd(stop, _mm512_set1_pd(to_low_bits))));
    _mm256_store_ps(out.depth + n, _mm512_cvtpd_ps(depth));
    _mm256_store_ps(out.row + n, _mm512_cvtpd_ps(_mm512_sub_pd(y, _mm512_set1_pd(strip.middle))));
  }
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") inline void add_in_double(__m512 x, double* sums) {
  for (int half = 0; half < 2; ++half) {
    const __m256 part = half == 0 ? _mm512_castps512_ps256(x) : _mm512_extractf32x8_ps(x, 1);
    _mm512_store_pd(sums + 8 * half, _mm512_add_pd(_mm512_load_pd(sums + 8 * half), _mm512_cvtps_pd(part)));
  }
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void sum_strip(const PlaneStrip& strip, const PlaneSlice::Lines& lines, CellSums& sums) {
  const __m512 begins = _mm512_load_ps(strip.begins), leans = _mm512_load_ps(strip.leans),
               deeper = _mm512_set1_ps(static_cast<float>(strip.deeper));
  const __m512 magic = _mm512_set1_ps(to_low_bits), two = _mm512_set1_ps(2.0f);
  sums = {};
  RowNumbers numbers;
  for (int64_t row = strip.begin; row < strip.end; row += rows_at_once) {
    number_rows(strip, row, numbers);
    const int64_t count = std::min(rows_at_once, strip.end - row);
    __m512 all = _mm512_setzero_ps(), behind = all;
    for (int64_t n = 0; n < count; ++n) {
      const float* voxels = lines.first + (row + n) * lines.stride + numbers.window[n];
      const __m512 low = _mm512_loadu_ps(voxels), high = _mm512_loadu_ps(voxels + 16);
      // The first voxels of the cells, with the large number added, and those of the next cells.
      const __m512 border = _mm512_add_ps(_mm512_fmadd_ps(leans, _mm512_set1_ps(numbers.row[n]), begins),
                                          _mm512_set1_ps(numbers.start[n]));
      const __m512 first = _mm512_add_round_ps(border, magic, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
      const __m512i index = _mm512_castps_si512(first);
      const __m512i stop = _mm512_castps_si512(_mm512_set1_ps(numbers.stop[n]));
      const __m512i next = _mm512_alignr_epi32(stop, index, 1), second = _mm512_add_epi32(index, _mm512_set1_epi32(1));
      const __m512 x = _mm512_maskz_permutex2var_ps(_mm512_cmplt_epi32_mask(index, next), low, index, high);
      const __m512 y = _mm512_maskz_permutex2var_ps(_mm512_cmplt_epi32_mask(second, next), low, second, high);
      // The distance to the border in columns is the distance in voxels over the depth, times the slope; one division
      // serves both voxels.
      const __m512 voxel = _mm512_sub_ps(first, magic), from = _mm512_sub_ps(voxel, border),
                   depth_x = _mm512_fmadd_ps(voxel, deeper, _mm512_set1_ps(numbers.depth[n])),
                   depth_y = _mm512_add_ps(depth_x, deeper), both = _mm512_mul_ps(depth_x, depth_y);
      const __m512 rough = _mm512_rcp14_ps(both);
      const __m512 inverse = _mm512_mul_ps(rough, _mm512_fnmadd_ps(both, rough, two));
      const __m512 shares =
          _mm512_fmadd_ps(y, _mm512_fmadd_ps(from, depth_x, depth_x), _mm512_mul_ps(x, _mm512_mul_ps(from, depth_y)));
      all = _mm512_add_ps(all, _mm512_add_ps(x, y));
      behind = _mm512_fmadd_ps(shares, inverse, behind);
    }
    add_in_double(all, sums.all);
    add_in_double(behind, sums.behind);
  }
}

#else

void sum_strip(const PlaneStrip&, const PlaneSlice::Lines&, CellSums&) { TL_CHECK(false, "no AVX-512 here"); }

#endif

// The sum for one column, voxel by voxel.
double sum_column(const LineMap& map, const PlaneSlice& slice, PlaneSlice::LineDirection direction, double column) {
  const LineMap m = along_strip(map, direction, false);
  const PlaneSlice::Lines lines = slice.lines(direction);
  const double slope = m.u[1] - column * m.w[1];
  double sum = 0;
  for (int64_t row = 0; row < lines.count; ++row) {
    const auto y = static_cast<double>(row);
    const double u = m.u[0] + m.u[2] * y, w = m.w[0] + m.w[2] * y, middle = (column * w - u) / slope;
    const float* voxels = lines.first + row * lines.stride;
    const auto share = [&](double i) { return 1 - std::abs((u + m.u[1] * i) / (w + m.w[1] * i) - column); };
    const auto length = static_cast<double>(lines.length);
    for (double i = std::clamp(std::ceil(middle), 0.0, length), near = 0; i < length && (near = share(i)) > 0; ++i)
      sum += near * static_cast<double>(voxels[static_cast<int64_t>(i)]);
    for (double i = std::clamp(std::ceil(middle), 0.0, length) - 1, near = 0; i >= 0 && (near = share(i)) > 0; --i)
      sum += near * static_cast<double>(voxels[static_cast<int64_t>(i)]);
  }
  return sum;
}

}  // namespace

PlaneSlice::PlaneSlice(const float* slice, int64_t ny, int64_t nx)
    : ny_(ny),
      nx_(nx),
      along_x_(at::empty({ny, stride_of(nx)}, at::kFloat)),
      along_y_(at::empty({nx, stride_of(ny)}, at::kFloat)) {
  // Fills lines first ... last - 1 with value(line, position), and zeros at both ends.
  const auto fill = [](at::Tensor& lines, int64_t length, int64_t first, int64_t last, const auto& value) {
    const int64_t stride = lines.size(1);
    float* to = lines.mutable_data_ptr<float>();
    for (int64_t n = first; n < last; ++n) {
      std::fill_n(to + n * stride, padding, 0.0f);
      std::fill(to + n * stride + padding + length, to + (n + 1) * stride, 0.0f);
    }
    for (int64_t m0 = 0; m0 < length; m0 += tile)
      for (int64_t n = first; n < last; ++n)
        for (int64_t m = m0; m < std::min(length, m0 + tile); ++m) to[n * stride + padding + m] = value(n, m);
  };
  ops::parallel_for(0, (ny + tile - 1) / tile, grain(nx * tile), [&](int64_t begin, int64_t end) {
    fill(along_x_, nx, begin * tile, std::min(ny, end * tile), [&](int64_t j, int64_t i) { return slice[j * nx + i]; });
  });
  ops::parallel_for(0, (nx + tile - 1) / tile, grain(ny * tile), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n)
      fill(along_y_, ny, n * tile, std::min(nx, (n + 1) * tile),
           [&](int64_t i, int64_t j) { return slice[j * nx + i]; });
  });
}

PlaneSlice::Lines PlaneSlice::lines(LineDirection direction) const {
  if (direction == along_x) return {along_x_.const_data_ptr<float>() + padding, stride_of(nx_), ny_, nx_};
  return {along_y_.const_data_ptr<float>() + padding, stride_of(ny_), nx_, ny_};
}

bool sum_along_rays(const PlaneSlice& slice, const LineMap& map, int64_t cols, std::vector<PlaneStrip>& scratch,
                    double* line) {
  scratch.clear();
  for (int64_t first = -1; first < cols; first += strip_columns) {
    scratch.emplace_back().first = first;
    if (!plan(map, slice, scratch.back())) return false;
  }
  CellSums sums;
  for (const PlaneStrip& strip : scratch) {
    if (strip.begin >= strip.end) continue;
    sum_strip(strip, slice.lines(strip.direction), sums);
    const int64_t forward = strip.mirrored ? -1 : 1, start = strip.first + (strip.mirrored ? strip_columns : 0);
    for (int64_t n = 0; n < strip_columns; ++n) {
      const double behind = strip.slope[n] * sums.behind[n];
      line[start + forward * n] += sums.all[n] - behind;
      line[start + forward * (n + 1)] += behind;
    }
  }
  // A voxel that projects onto the column between two strips of different orientation might be counted twice or not at
  // all.
  for (std::size_t n = 1; n < scratch.size(); ++n) {
    const PlaneStrip &before = scratch[n - 1], &strip = scratch[n];
    if (strip.direction == before.direction && strip.mirrored == before.mirrored) continue;
    line[strip.first] = sum_column(map, slice, strip.direction, static_cast<double>(strip.first));
  }
  return true;
}

}  // namespace tl::ops
