// Sums views and sorts blocks with neighbouring columns as lanes; each loop exists for several instruction sets.
#include "gpu/correction/stripes/block_medians.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "gpu/correction/stripes/lane_sort.h"
#include "gpu/device/aligned_vector.h"
#include "gpu/device/choose_variant.h"

namespace tl::ops {
namespace {

constexpr int64_t lanes = 16;               // columns of a tile
constexpr float error_of_median = 1.2533F;  // standard error of a median relative to that of a mean
constexpr float to_sigma = 1.4826F;         // median of absolute deviations -> standard deviation
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
__attribute__((always_inline)) inline void sum_values(const ViewBlock& b, int64_t i) {
  using V = typename VectorOf<float, Bytes>::type;
  const int64_t stride = scratch_stride(b.cols);
  V sum{}, seconds{}, fourths{}, least = V{} + infinite;
  for (int64_t k = 0; k < b.views; ++k) {
    const float* const* line = b.lines + k;
    const std::array<float, 3>& w = b.second_weights[k];
    const std::array<float, 5>& q = b.fourth_weights[k];
    __builtin_prefetch(line[fetched_ahead] + i);
    // The value itself is subtracted first: differences of large values keep their precision.
    const V x = columns<Bytes>(line[0] + i), before = columns<Bytes>(line[-1] + i) - x,
            after = columns<Bytes>(line[1] + i) - x;
    const V two = w[0] * before + w[2] * after;
    const V four = q[0] * (columns<Bytes>(line[-2] + i) - x) + q[1] * before + q[3] * after +
                   q[4] * (columns<Bytes>(line[2] + i) - x);
    sum += x;
    columns<Bytes>(b.scratch + k * stride + i) = two;
    add_magnitude(seconds, two);
    add_magnitude(fourths, four);
    const V change = before < 0 ? -before : before;
    const V counted = change > 0 ? change : V{} + infinite;
    least = counted < least ? counted : least;
  }
  const V mean = sum * b.of_mean, highest = columns<Bytes>(b.highest + i), lowest = columns<Bytes>(b.lowest + i),
          smallest = columns<Bytes>(b.smallest + i);
  columns<Bytes>(b.mean + i) = mean;
  columns<Bytes>(b.second + i) = seconds * b.of_second;
  columns<Bytes>(b.fourth + i) = fourths * b.of_fourth;
  columns<Bytes>(b.least + i) = least;
  columns<Bytes>(b.highest + i) = highest < mean ? mean : highest;
  columns<Bytes>(b.lowest + i) = mean < lowest ? mean : lowest;
  columns<Bytes>(b.smallest + i) = least < smallest ? least : smallest;
}

template <int Bytes>
__attribute__((always_inline)) inline void sum_steps(const ViewBlock& b, int64_t i) {
  using V = typename VectorOf<float, Bytes>::type;
  const int64_t stride = scratch_stride(b.cols);
  V sum{};
  for (int64_t k = 0; k < b.views; ++k) {
    const float* two = b.scratch + k * stride + i;
    const V step = columns<Bytes>(two + 1) - columns<Bytes>(two);
    add_magnitude(sum, step);
  }
  columns<Bytes>(b.step + i) = sum * b.of_second;
}

template <int Bytes>
__attribute__((always_inline)) inline void sum_view_block_body(const ViewBlock& b) {
  constexpr int64_t width = width_of<float, Bytes>;
  constexpr int one = sizeof(float);
  int64_t i = 0;
  for (; i + width <= b.cols; i += width) sum_values<Bytes>(b, i);
  for (; i < b.cols; ++i) sum_values<one>(b, i);
  for (int64_t k = 0; k < b.views; ++k) {
    float& two = b.scratch[k * scratch_stride(b.cols) + b.cols];
    two = 0;
    if (!b.has_next) continue;
    const float* const* line = b.lines + k;
    const float x = line[0][b.cols];
    two = b.second_weights[k][0] * (line[-1][b.cols] - x) + b.second_weights[k][2] * (line[1][b.cols] - x);
  }
  for (i = 0; i + width <= b.cols; i += width) sum_steps<Bytes>(b, i);
  for (; i < b.cols; ++i) sum_steps<one>(b, i);
}

// Tiles are [row, lane] and have padded_rows(n) rows.
inline void pad(float* x, int64_t n) { std::fill(x + n * lanes, x + padded_rows(n) * lanes, infinite); }

template <int Bytes>
__attribute__((always_inline)) inline void median_body(float* x, int64_t n, float* median) {
  for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>)
    element_of_rows(LaneRows<Bytes>{x + c, lanes}, padded_rows(n), n / 2, median + c);
}

// Results for n rows: their median, and the median of the deviations from it.
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

// How often the rows cross their median from one row to the next.
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

// Steps of neighbouring columns from `first` on to the next ones.
template <int Bytes>
__attribute__((always_inline)) inline void steps_body(const float* x, int64_t cols, int64_t first, float* step) {
  if (first + lanes + 1 <= cols) {
    for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>)
      columns<Bytes>(step + c) = columns<Bytes>(x + first + c + 1) - columns<Bytes>(x + first + c);
    return;
  }
  for (int64_t k = first; k < std::min(first + lanes, cols - 1); ++k) step[k - first] = x[k + 1] - x[k];
}

// One tile of steps: from the means of the blocks to their medians.
struct StepTile {
  const float* means;
  int64_t n, cols, first;
  float *step, *sorted;  // tiles
  TileMedians medians = {};
};

template <int Bytes>
__attribute__((always_inline)) inline void step_tile_body(StepTile& t) {
  for (int64_t b = 0; b < t.n; ++b) steps_body<Bytes>(t.means + b * t.cols, t.cols, t.first, t.step + b * lanes);
  std::memcpy(t.sorted, t.step, static_cast<std::size_t>(t.n * lanes) * sizeof(float));
  medians_body<Bytes>(t.sorted, t.n, t.medians);
}

template <int Bytes>
__attribute__((always_inline)) inline void sort_body(float* x, int64_t n) {
  for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>)
    sort_lane_rows(LaneRows<Bytes>{x + c, lanes}, padded_rows(n));
}

// Two sorted tiles, for the median of all their rows.
struct TwoParts {
  float *first, *second;
  int64_t first_rows, second_rows;
};

template <int Bytes>
__attribute__((always_inline)) inline void median_of_two_body(const TwoParts& t, float* median) {
  for (int64_t c = 0; c < lanes; c += width_of<float, Bytes>)
    element_of_two(LaneRows<Bytes>{t.first + c, lanes}, t.first_rows, LaneRows<Bytes>{t.second + c, lanes},
                   t.second_rows, (t.first_rows + t.second_rows) / 2, median + c);
}

// Bends of columns that need not be neighbours, in one window; see BlockMedians::errors_of_bends().
struct BendTile {
  int64_t n;
  const float* bend;
  float* sorted;  // tile
  TileMedians medians = {};
  std::array<float, lanes> error = {};
};

template <int Bytes>
__attribute__((always_inline)) inline void bend_tile_body(BendTile& t) {
  std::memcpy(t.sorted, t.bend, static_cast<std::size_t>(t.n * lanes) * sizeof(float));
  medians_body<Bytes>(t.sorted, t.n, t.medians);
  std::array<float, lanes> crossings;
  crossings_body<Bytes>(t.bend, t.n, t.medians.median.data(), crossings.data());
  for (std::size_t c = 0; c < lanes; ++c) {
    const float independent = std::min(static_cast<float>(t.n), 2 * crossings[c] + 1);
    t.error[c] = error_of_median * to_sigma * t.medians.deviation[c] / __builtin_sqrtf(independent);
  }
}

CpuVariant stripe_variant() {
  static const CpuVariant variant = best_cpu_variant();
  return variant;
}

void median_of_tile(float* x, int64_t n, float* median) {
  pad(x, n);
  Variants<median_body<64>, median_body<32>, median_body<16>>::of(stripe_variant())(x, n, median);
}

void step_tile(StepTile& t) {
  pad(t.sorted, t.n);
  Variants<step_tile_body<64>, step_tile_body<32>, step_tile_body<16>>::of(stripe_variant())(t);
}

void sort_tile(float* x, int64_t n) {
  pad(x, n);
  Variants<sort_body<64>, sort_body<32>, sort_body<16>>::of(stripe_variant())(x, n);
}

void median_of_two(const TwoParts& t, float* median) {
  Variants<median_of_two_body<64>, median_of_two_body<32>, median_of_two_body<16>>::of(stripe_variant())(t, median);
}

void bend_tile(BendTile& t) {
  pad(t.sorted, t.n);
  Variants<bend_tile_body<64>, bend_tile_body<32>, bend_tile_body<16>>::of(stripe_variant())(t);
}

AlignedVector<float> tile_of(int64_t rows) {
  AlignedVector<float> tile(static_cast<std::size_t>(padded_rows(rows) * lanes));
  std::fill(tile.begin(), tile.end(), 0.0F);
  return tile;
}

// Parts between neighbouring begins and ends of windows, and the medians of windows, each of which has two of them.
class HalfWindows {
 public:
  explicit HalfWindows(const std::vector<BlockWindow>& windows) : windows_(windows.begin() + 1, windows.end()) {
    for (const BlockWindow& w : windows_) {
      cuts_.push_back(w.begin);
      cuts_.push_back(w.end);
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
    for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) parts_.push_back(tile_of(cuts_[i + 1] - cuts_[i]));
    for (const BlockWindow& w : windows_) {
      const auto at = static_cast<std::size_t>(std::find(cuts_.begin(), cuts_.end(), w.begin) - cuts_.begin());
      TL_CHECK(at + 2 < cuts_.size() && cuts_[at + 2] == w.end, "windows that do not overlap by half");
      first_part_.push_back(at);
    }
  }

  // `tile`: all blocks.
  void sort(const float* tile) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const int64_t rows = cuts_[i + 1] - cuts_[i];
      std::memcpy(parts_[i].data(), tile + cuts_[i] * lanes, static_cast<std::size_t>(rows * lanes) * sizeof(float));
      sort_tile(parts_[i].data(), rows);
    }
  }
  void median(std::size_t window, float* out) {
    const std::size_t at = first_part_[window];
    median_of_two({parts_[at].data(), parts_[at + 1].data(), cuts_[at + 1] - cuts_[at], cuts_[at + 2] - cuts_[at + 1]},
                  out);
  }
  [[nodiscard]] std::size_t count() const { return windows_.size(); }

 private:
  std::vector<BlockWindow> windows_;
  std::vector<int64_t> cuts_;  // blocks
  std::vector<AlignedVector<float>> parts_;
  std::vector<std::size_t> first_part_;  // of each window
};

}  // namespace

void sum_view_block(const ViewBlock& block) {
  Variants<sum_view_block_body<64>, sum_view_block_body<32>, sum_view_block_body<16>>::of(stripe_variant())(block);
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

StepMedians BlockMedians::of_steps(const std::vector<float>& means, const std::vector<BlockWindow>& windows) const {
  const std::vector<float> none(static_cast<std::size_t>(cols_), 0);
  StepMedians out{std::vector<std::vector<float>>(windows.size(), none), none};
  AlignedVector<float> step = tile_of(blocks_), sorted = tile_of(blocks_);
  StepTile tile{means.data(), blocks_, cols_, 0, step.data(), sorted.data()};
  HalfWindows halves(windows);
  std::array<float, lanes> median{};
  for (int64_t first = 0; first + 1 < cols_; first += lanes) {
    const int64_t count = std::min(lanes, cols_ - 1 - first);
    tile.first = first;
    step_tile(tile);
    std::copy_n(tile.medians.median.begin(), count, out.step[0].begin() + first);
    std::copy_n(tile.medians.deviation.begin(), count, out.spread.begin() + first);
    halves.sort(step.data());
    for (std::size_t w = 0; w < halves.count(); ++w) {
      halves.median(w, median.data());
      std::copy_n(median.begin(), count, out.step[w + 1].begin() + first);
    }
  }
  return out;
}

std::vector<std::vector<float>> BlockMedians::errors_of_bends(const std::vector<float>& means,
                                                              const std::vector<BlockWindow>& windows,
                                                              const std::vector<int64_t>& columns) const {
  const int64_t count = std::ssize(columns);
  std::vector<std::vector<float>> out(windows.size(), std::vector<float>(columns.size()));
  AlignedVector<float> bend = tile_of(blocks_), sorted = tile_of(blocks_);
  for (int64_t first = 0; first < count; first += lanes) {
    const int64_t some = std::min(lanes, count - first);
    for (int64_t b = 0; b < blocks_; ++b) {
      const float* row = means.data() + b * cols_;
      for (int64_t i = 0; i < some; ++i) {
        const int64_t c = columns[static_cast<std::size_t>(first + i)];
        const float rise = row[c + 1] - row[c];
        bend[static_cast<std::size_t>(b * lanes + i)] =
            1.5F * rise - 0.5F * (row[std::min(c + 2, cols_ - 1)] - row[std::max<int64_t>(c - 1, 0)]);
      }
    }
    for (std::size_t w = 0; w < windows.size(); ++w) {
      BendTile tile{windows[w].size(), bend.data() + windows[w].begin * lanes, sorted.data()};
      bend_tile(tile);
      std::copy_n(tile.error.begin(), some, out[w].begin() + first);
    }
  }
  return out;
}

}  // namespace tl::ops
