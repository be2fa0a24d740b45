// Sums views for squares of 16 x 16 voxels: detector pixels are permuted in registers, with AVX2 for quarters of them;
// without either they are gathered.
#include "gpu/projection/back_projector/cpu/squares.h"

#include <algorithm>
#include <cmath>

#include "gpu/device/cpu_variant.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
namespace {

constexpr auto side = static_cast<int>(square_size);

// Sums of one square, row by row.
struct Square {
  alignas(64) float sum[square_size * square_size];
};

// Projection of the middle of a square into each view of a group: the pixel below it, as the offset of the 32 pixels
// around it in the view's line, and the fraction; and the steps per voxel.
struct SquareLandings {
  alignas(64) float fraction[max_square_views], along_i[max_square_views], along_j[max_square_views];
  alignas(64) int32_t offset[max_square_views];
};

constexpr int reach = 16;  // pixels below and above the position of the middle

#if defined(__x86_64__)

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void land_square(const LineGroup& lines, double j, double i, SquareLandings& at) {
  // Beyond these positions no voxel of a square touches the detector.
  const __m512d low = _mm512_set1_pd(-reach - 1), high = _mm512_set1_pd(static_cast<double>(lines.cols + reach));
  const __m256i origin = _mm256_set1_epi32(static_cast<int32_t>(line_padding) - reach);
  for (int64_t v = 0; v < lines.views; v += 8) {
    const __m512d along_i = _mm512_loadu_pd(lines.u1 + v), along_j = _mm512_loadu_pd(lines.u2 + v);
    const __m512d at_i = _mm512_fmadd_pd(along_i, _mm512_set1_pd(i), _mm512_loadu_pd(lines.u0 + v));
    const __m512d at_col = _mm512_fmadd_pd(along_j, _mm512_set1_pd(j), at_i);
    const __m512d col = _mm512_min_pd(_mm512_max_pd(at_col, low), high), below = _mm512_floor_pd(col);
    _mm256_store_ps(at.fraction + v, _mm512_cvtpd_ps(_mm512_sub_pd(col, below)));
    _mm256_store_ps(at.along_i + v, _mm512_cvtpd_ps(along_i));
    _mm256_store_ps(at.along_j + v, _mm512_cvtpd_ps(along_j));
    _mm256_store_si256(reinterpret_cast<__m256i*>(at.offset + v), _mm256_add_epi32(_mm512_cvtpd_epi32(below), origin));
  }
}

// A voxel is s pixels from the pixel below the square's middle, -16 <= s < 16, in the interval of pixel k = floor(s).
// Its value is s * slope[k] + start[k], where start is the interval's line extended to s = 0. Each of the two tables
// fills two registers, and adding a large number while rounding down leaves k + 16 in the low bits of the sum.
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void square_avx512(const LineGroup& lines, const SquareLandings& at, Square& square) {
  constexpr float to_low_bits = 12582912.0f + reach;  // 1.5 * 2^23
  const __m512 magic = _mm512_set1_ps(to_low_bits);
  const __m512 lane = _mm512_setr_ps(-7.5f, -6.5f, -5.5f, -4.5f, -3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f,
                                     4.5f, 5.5f, 6.5f, 7.5f);
  const __m512 k_high = _mm512_add_ps(lane, _mm512_set1_ps(7.5f)), k_low = _mm512_sub_ps(k_high, _mm512_set1_ps(16.0f));
  __m512 sum[side];
  for (auto& s : sum) s = _mm512_setzero_ps();
  for (int64_t v = 0; v < lines.views; ++v) {
    const float* line = lines.data + v * lines.stride + at.offset[v];
    const __m512 value_low = _mm512_loadu_ps(line), value_high = _mm512_loadu_ps(line + 16);
    const __m512 slope_low = _mm512_sub_ps(_mm512_loadu_ps(line + 1), value_low);
    const __m512 slope_high = _mm512_sub_ps(_mm512_loadu_ps(line + 17), value_high);
    const __m512 start_low = _mm512_fnmadd_ps(k_low, slope_low, value_low);
    const __m512 start_high = _mm512_fnmadd_ps(k_high, slope_high, value_high);
    const __m512 middle = _mm512_fmadd_ps(lane, _mm512_set1_ps(at.along_i[v]), _mm512_set1_ps(at.fraction[v]));
    const __m512 along_j = _mm512_set1_ps(at.along_j[v]);
#pragma GCC unroll 16
    for (int j = 0; j < side; ++j) {
      const __m512 s = _mm512_fmadd_ps(_mm512_set1_ps(static_cast<float>(j) - 7.5f), along_j, middle);
      const __m512i k = _mm512_castps_si512(_mm512_add_round_ps(s, magic, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
      const __m512 start = _mm512_permutex2var_ps(start_low, k, start_high);
      const __m512 slope = _mm512_permutex2var_ps(slope_low, k, slope_high);
      sum[j] = _mm512_add_ps(sum[j], _mm512_fmadd_ps(s, slope, start));
    }
  }
  for (int j = 0; j < side; ++j) _mm512_store_ps(square.sum + j * side, sum[j]);
}

// With registers half as long, a quarter of the square is summed at a time: 8 x 8 voxels, none of which is further from
// the pixel below the middle than 8 pixels.
constexpr int quarter_side = 8, quarter_reach = 8;

// Subtracted from positions: rounding to nearest, the only rounding of additions here, then finds the pixel below. It
// is half a pixel, minus some units in the last place: a voxel in the middle of a pixel uses that pixel and the next
// one, as everywhere else.
constexpr float to_nearest = 0.5f - 0x1p-19f;

// Like land_square(), for the middle of a quarter; fractions are reduced by to_nearest.
TL_TARGET("avx2,fma")
void land_quarter(const LineGroup& lines, double j, double i, SquareLandings& at) {
  const __m256d low = _mm256_set1_pd(-quarter_reach - 1),
                high = _mm256_set1_pd(static_cast<double>(lines.cols + quarter_reach)),
                shift = _mm256_set1_pd(to_nearest);
  const __m128i origin = _mm_set1_epi32(static_cast<int32_t>(line_padding) - quarter_reach);
  for (int64_t v = 0; v < lines.views; v += 4) {
    const __m256d along_i = _mm256_loadu_pd(lines.u1 + v), along_j = _mm256_loadu_pd(lines.u2 + v);
    const __m256d at_i = _mm256_fmadd_pd(along_i, _mm256_set1_pd(i), _mm256_loadu_pd(lines.u0 + v));
    const __m256d at_col = _mm256_fmadd_pd(along_j, _mm256_set1_pd(j), at_i);
    const __m256d col = _mm256_min_pd(_mm256_max_pd(at_col, low), high), below = _mm256_floor_pd(col);
    _mm_store_ps(at.fraction + v, _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_sub_pd(col, below), shift)));
    _mm_store_ps(at.along_i + v, _mm256_cvtpd_ps(along_i));
    _mm_store_ps(at.along_j + v, _mm256_cvtpd_ps(along_j));
    _mm_store_si128(reinterpret_cast<__m128i*>(at.offset + v), _mm_add_epi32(_mm256_cvtpd_epi32(below), origin));
  }
}

// Entry k + 8 of a table of sixteen in two registers; bit 3 of `k8`, here in the sign bit of `above`, selects it.
TL_TARGET("avx2,fma")
__attribute__((always_inline)) inline __m256 entry(__m256 low, __m256 high, __m256i k8, __m256 above) {
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, k8), _mm256_permutevar8x32_ps(high, k8), above);
}

// Like square_avx512(), with s reduced by to_nearest.
TL_TARGET("avx2,fma")
void quarter_avx2(const LineGroup& lines, const SquareLandings& at, float* out) {
  constexpr float to_low_bits = 12582912.0f + quarter_reach;  // 1.5 * 2^23
  const __m256 magic = _mm256_set1_ps(to_low_bits);
  const __m256 lane = _mm256_setr_ps(-3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f);
  // Of pixel k: k - to_nearest.
  const __m256 k_high = _mm256_add_ps(lane, _mm256_set1_ps(3.5f - to_nearest)),
               k_low = _mm256_sub_ps(k_high, _mm256_set1_ps(8.0f));
  __m256 sum[quarter_side];
  for (auto& s : sum) s = _mm256_setzero_ps();
  for (int64_t v = 0; v < lines.views; ++v) {
    const float* line = lines.data + v * lines.stride + at.offset[v];
    const __m256 value_low = _mm256_loadu_ps(line), value_high = _mm256_loadu_ps(line + 8);
    const __m256 slope_low = _mm256_sub_ps(_mm256_loadu_ps(line + 1), value_low);
    const __m256 slope_high = _mm256_sub_ps(_mm256_loadu_ps(line + 9), value_high);
    const __m256 start_low = _mm256_fnmadd_ps(k_low, slope_low, value_low);
    const __m256 start_high = _mm256_fnmadd_ps(k_high, slope_high, value_high);
    const __m256 along_j = _mm256_set1_ps(at.along_j[v]);
    const __m256 middle = _mm256_fmadd_ps(lane, _mm256_set1_ps(at.along_i[v]), _mm256_set1_ps(at.fraction[v]));
#pragma GCC unroll 8
    for (int j = 0; j < quarter_side; ++j) {
      const __m256 s = _mm256_fmadd_ps(_mm256_set1_ps(static_cast<float>(j) - 3.5f), along_j, middle);
      const __m256i k8 = _mm256_castps_si256(_mm256_add_ps(s, magic));
      const __m256 above = _mm256_castsi256_ps(_mm256_slli_epi32(k8, 28));
      const __m256 start = entry(start_low, start_high, k8, above), slope = entry(slope_low, slope_high, k8, above);
      sum[j] = _mm256_add_ps(sum[j], _mm256_fmadd_ps(s, slope, start));
    }
  }
  for (int j = 0; j < quarter_side; ++j) _mm256_store_ps(out + j * side, sum[j]);
}

void square_avx2(const LineGroup& lines, double j0, double i0, SquareLandings& at, Square& square) {
  constexpr double middle = 0.5 * (quarter_side - 1);
  for (int j = 0; j < side; j += quarter_side)
    for (int i = 0; i < side; i += quarter_side) {
      land_quarter(lines, j0 + j + middle, i0 + i + middle, at);
      quarter_avx2(lines, at, square.sum + j * side + i);
    }
}

#else

void land_square(const LineGroup&, double, double, SquareLandings&) { TL_CHECK(false, "no AVX-512 here"); }
void square_avx512(const LineGroup&, const SquareLandings&, Square&) { TL_CHECK(false, "no AVX-512 here"); }
void square_avx2(const LineGroup&, double, double, SquareLandings&, Square&) { TL_CHECK(false, "no AVX2 here"); }

#endif

// Sums with one position per voxel, in double.
void square_plain(const LineGroup& lines, double j0, double i0, Square& square) {
  std::fill_n(square.sum, square_size * square_size, 0.0f);
  const auto edge = static_cast<double>(lines.cols);
  for (int64_t v = 0; v < lines.views; ++v) {
    const float* line = lines.data + v * lines.stride + line_padding;
    for (int j = 0; j < side; ++j) {
      const double first = lines.u0[v] + lines.u1[v] * i0 + lines.u2[v] * (j0 + j);
      float* sum = square.sum + j * side;
      for (int i = 0; i < side; ++i) {
        const double col = std::min(std::max(first + lines.u1[v] * i, -1.0), edge);
        const double below = std::floor(col);
        const auto c = static_cast<int32_t>(below);
        sum[i] += line[c] + static_cast<float>(col - below) * (line[c + 1] - line[c]);
      }
    }
  }
}

}  // namespace

void collect_squares(const LineGroup& lines, const SquareRow& row, Collect collect) {
  const CpuVariant variant = best_cpu_variant();
  SquareLandings at;
  Square square;
  for (int64_t i0 = 0; i0 < row.nx; i0 += square_size) {
    const auto i = static_cast<double>(i0), j = static_cast<double>(row.j0);
    if (variant == CpuVariant::avx512) {
      constexpr double middle = 0.5 * (side - 1);
      land_square(lines, j + middle, i + middle, at);
      square_avx512(lines, at, square);
    } else if (variant == CpuVariant::avx2) {
      square_avx2(lines, j, i, at, square);
    } else {
      square_plain(lines, j, i, square);
    }
    const int64_t width = std::min(square_size, row.nx - i0);
    for (int64_t k = 0; k < row.j1 - row.j0; ++k) {
      float* out = row.out + k * row.nx + i0;
      const float* sum = square.sum + k * square_size;
      for (int64_t n = 0; n < width; ++n) out[n] = sum[n] + (collect == Collect::add ? out[n] : 0.0f);
    }
  }
}

}  // namespace tl::ops
