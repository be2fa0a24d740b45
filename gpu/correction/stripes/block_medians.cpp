// Sums views and sorts blocks with neighbouring columns as lanes; each loop exists for several instruction sets.
#include "gpu/correction/stripes/block_medians.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/correction/stripes/lane_sort.h"
#include "gpu/device/aligned_vector.h"
#include "gpu/device/cpu_variant.h"

namespace tl::ops {
namespace {

constexpr int64_t lanes = 16;         // columns of a tile
constexpr float of_median = 1.2533F;  // standard error of a median relative to that of a mean
constexpr float to_sigma = 1.4826F;   // median of absolute deviations -> standard deviation
constexpr float infinite = std::numeric_limits<float>::infinity();

// Some neighbouring columns from `first` on.
template <int Bytes>
__attribute__((always_inline)) inline auto& columns(float* first) {
  return *reinterpret_cast<typename VectorOf<float, Bytes>::type*>(first);
}
template <int Bytes>
__attribute__((always_inline)) inline const auto& columns(const float* first) {
  return *reinterpret_cast<const typename VectorOf<float, Bytes>::type*>(first);
}

template <class V>
__attribute__((always_inline)) inline void add_magnitude(V& sum, const V& x) {
  sum += x < 0 ? -x : x;
}

template <int Bytes>
__attribute__((always_inline)) inline void add_values(const ViewLine& l, int64_t i) {
  using V = typename VectorOf<float, Bytes>::type;
  const auto [u, v, w] = l.second_weights;
  const auto [p, q, r, s, t] = l.fourth_weights;
  // The value itself is subtracted first: differences of large values keep their digits.
  const V x = columns<Bytes>(l.x[2] + i), before = columns<Bytes>(l.x[1] + i) - x,
          after = columns<Bytes>(l.x[3] + i) - x;
  const V two = u * before + w * after;
  const V four = p * (columns<Bytes>(l.x[0] + i) - x) + q * before + s * after + t * (columns<Bytes>(l.x[4] + i) - x);
  columns<Bytes>(l.mean + i) += x;
  columns<Bytes>(l.second + i) = two;
  add_magnitude(columns<Bytes>(l.second_sum + i), two);
  add_magnitude(columns<Bytes>(l.fourth_sum + i), four);
  const V change = before < 0 ? -before : before, least = columns<Bytes>(l.least + i);
  const V counted = change > 0 ? change : V{} + infinite;
  columns<Bytes>(l.least + i) = counted < least ? counted : least;
  (void)v;
  (void)r;
}

template <int Bytes>
__attribute__((always_inline)) inline void add_steps(const ViewLine& l, int64_t i) {
  const typename VectorOf<float, Bytes>::type step = columns<Bytes>(l.second + i + 1) - columns<Bytes>(l.second + i);
  add_magnitude(columns<Bytes>(l.step_sum + i), step);
}

template <int Bytes>
__attribute__((always_inline)) inline void add_view_body(const ViewLine& l) {
  constexpr int64_t width = width_of<float, Bytes>;
  constexpr int one = sizeof(float);
  int64_t i = 0;
  for (; i + width <= l.cols; i += width) {
    __builtin_prefetch(l.ahead + i);
    add_values<Bytes>(l, i);
  }
  for (; i < l.cols; ++i) add_values<one>(l, i);
  for (i = 0; i + width <= l.cols; i += width) add_steps<Bytes>(l, i);
  for (; i < l.cols; ++i) add_steps<one>(l, i);
}

// Tiles are [row, lane] and have padded_rows(n) rows.
inline void pad(float* x, int64_t n) { std::fill(x + n * lanes, x + padded_rows(n) * lanes, infinite); }

template <int Bytes>
__attribute__((always_inline)) inline void median_body(float* x, int64_t n, float* median) {
  for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>)
    element_of_rows(LaneRows<Bytes>{x + c, lanes}, padded_rows(n), n / 2, median + c);
}

// What is wanted of n rows: their median, and the median of the deviations from it.
struct TileMedians {
  std::array<float, lanes> median, deviation;
};

template <int Bytes>
__attribute__((always_inline)) inline void medians_body(float* x, int64_t n, TileMedians& out) {
  for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>) {
    const LaneRows<Bytes> rows{x + c, lanes};
    sort_lane_rows(rows, padded_rows(n));
    columns<Bytes>(out.median.data() + c) = rows[n / 2];
    median_deviation(rows, n, out.deviation.data() + c);
  }
}

// How often the rows cross their median from one to the next.
template <int Bytes>
__attribute__((always_inline)) inline void crossings_body(const float* x, int64_t n, const float* median,
                                                          float* crossings) {
  using V = typename VectorOf<float, Bytes>::type;
  for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>) {
    const V middle = columns<Bytes>(median + c);
    auto above = columns<Bytes>(x + c) > middle;
    decltype(above) count{};
    for (int64_t b = 1; b < n; ++b) {
      const auto now = columns<Bytes>(x + b * lanes + c) > middle;
      count -= now ^ above;  // -1 where they differ
      above = now;
    }
    columns<Bytes>(crossings + c) = __builtin_convertvector(count, V);
  }
}

// Step and bend of some columns from k on, see BlockMedians::of_steps().
template <int Bytes>
__attribute__((always_inline)) inline void steps_at(const float* x, int64_t before, int64_t k, int64_t after,
                                                    float* step, float* bend) {
  const typename VectorOf<float, Bytes>::type rise = columns<Bytes>(x + k + 1) - columns<Bytes>(x + k);
  columns<Bytes>(step) = rise;
  columns<Bytes>(bend) = 1.5F * rise - 0.5F * (columns<Bytes>(x + after) - columns<Bytes>(x + before));
}

template <int Bytes>
__attribute__((always_inline)) inline void steps_body(const float* x, int64_t cols, int64_t first, float* step,
                                                      float* bend) {
  if (first > 0 && first + lanes + 2 <= cols) {
    for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>)
      steps_at<Bytes>(x, first + c - 1, first + c, first + c + 2, step + c, bend + c);
    return;
  }
  for (int64_t k = first; k < std::min(first + lanes, cols - 1); ++k)
    steps_at<sizeof(float)>(x, std::max<int64_t>(k - 1, 0), k, std::min(k + 2, cols - 1), step + (k - first),
                            bend + (k - first));
}

// One tile of steps: from the means of the blocks to their medians, with the standard error of the bends' median.
struct StepTile {
  const float* means;
  int64_t n, cols, first;
  float *step, *bend, *scratch;  // tiles
  TileMedians medians = {};
  std::array<float, lanes> error = {};
};

template <int Bytes>
__attribute__((always_inline)) inline void step_tile_body(StepTile& t) {
  for (int64_t b = 0; b < t.n; ++b)
    steps_body<Bytes>(t.means + b * t.cols, t.cols, t.first, t.step + b * lanes, t.bend + b * lanes);
  std::memcpy(t.scratch, t.bend, static_cast<std::size_t>(t.n * lanes) * sizeof(float));
  medians_body<Bytes>(t.scratch, t.n, t.medians);
  std::array<float, lanes> crossings;
  crossings_body<Bytes>(t.bend, t.n, t.medians.median.data(), crossings.data());
  for (std::size_t c = 0; c < lanes; ++c) {
    const float independent = std::min(static_cast<float>(t.n), 2 * crossings[c] + 1);
    t.error[c] = of_median * to_sigma * t.medians.deviation[c] / __builtin_sqrtf(independent);
  }
  medians_body<Bytes>(t.step, t.n, t.medians);
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") void add_view_avx512(const ViewLine& l) { add_view_body<64>(l); }
TL_TARGET("avx2,fma") void add_view_avx2(const ViewLine& l) { add_view_body<32>(l); }
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") void median_avx512(float* x, int64_t n, float* median) {
  median_body<64>(x, n, median);
}
TL_TARGET("avx2,fma") void median_avx2(float* x, int64_t n, float* median) { median_body<32>(x, n, median); }
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") void step_tile_avx512(StepTile& t) { step_tile_body<64>(t); }
TL_TARGET("avx2,fma") void step_tile_avx2(StepTile& t) { step_tile_body<32>(t); }

CpuVariant stripe_variant() {
  static const CpuVariant variant = best_cpu_variant();
  return variant;
}

void median_of_tile(float* x, int64_t n, float* median) {
  const CpuVariant variant = stripe_variant();
  pad(x, n);
  if (variant == CpuVariant::avx512) return median_avx512(x, n, median);
  if (variant == CpuVariant::avx2) return median_avx2(x, n, median);
  median_body<16>(x, n, median);
}

void step_tile(StepTile& t) {
  const CpuVariant variant = stripe_variant();
  for (float* x : {t.step, t.scratch}) pad(x, t.n);
  if (variant == CpuVariant::avx512) return step_tile_avx512(t);
  if (variant == CpuVariant::avx2) return step_tile_avx2(t);
  step_tile_body<16>(t);
}

AlignedVector<float> tile_of(int64_t rows) {
  AlignedVector<float> tile(static_cast<std::size_t>(padded_rows(rows) * lanes));
  std::fill(tile.begin(), tile.end(), 0.0F);
  return tile;
}

}  // namespace

void add_view(const ViewLine& line) {
  const CpuVariant variant = stripe_variant();
  if (variant == CpuVariant::avx512) return add_view_avx512(line);
  if (variant == CpuVariant::avx2) return add_view_avx2(line);
  add_view_body<16>(line);
}

void scale(float* values, int64_t count, float factor) {
  for (int64_t i = 0; i < count; ++i) values[i] *= factor;
}

std::vector<float> BlockMedians::of(const float* values) const {
  std::vector<float> out(static_cast<std::size_t>(cols_));
  AlignedVector<float> tile = tile_of(blocks_);
  std::array<float, lanes> median{};
  for (int64_t first = 0; first < cols_; first += lanes) {
    const int64_t count = std::min(lanes, cols_ - first);
    for (int64_t b = 0; b < blocks_; ++b) {
      const float* from = values + b * cols_ + first;
      float* to = tile.data() + b * lanes;
      if (count == lanes)
        std::memcpy(to, from, lanes * sizeof(float));
      else
        std::copy_n(from, count, to);
    }
    median_of_tile(tile.data(), blocks_, median.data());
    std::copy_n(median.begin(), count, out.begin() + first);
  }
  return out;
}

StepMedians BlockMedians::of_steps(const std::vector<float>& means, int64_t begin, int64_t end) const {
  const int64_t n = end - begin;
  const auto width = static_cast<std::size_t>(cols_);
  StepMedians out{std::vector<float>(width, 0), std::vector<float>(width, 0), std::vector<float>(width, 0)};
  AlignedVector<float> step = tile_of(n), bend = tile_of(n), scratch = tile_of(n);
  StepTile tile{means.data() + begin * cols_, n, cols_, 0, step.data(), bend.data(), scratch.data()};
  for (int64_t first = 0; first + 1 < cols_; first += lanes) {
    const int64_t count = std::min(lanes, cols_ - 1 - first);
    tile.first = first;
    step_tile(tile);
    std::copy_n(tile.medians.median.begin(), count, out.step.begin() + first);
    std::copy_n(tile.error.begin(), count, out.error.begin() + first);
    if (n == blocks_) std::copy_n(tile.medians.deviation.begin(), count, out.spread.begin() + first);
  }
  return out;
}

}  // namespace tl::ops
