// Computes tables of line integrals in two stages: strips of columns along few slopes, then lines from the strips.
#include "gpu/alignment/epipolar/line_table.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "gpu/device/choose_variant.h"

namespace tl::ops {
namespace {

constexpr double reach_of_weights = 4;  // standard deviations to either side
constexpr double second_width =
    0.45;                           // [rows], of the second stage at most: sampled every half row it is exact to 1e-6
constexpr double strip_cost = 1.5;  // of a strip's entries in the second stage over the first

// to[k] += sum over eight t of w[t] from[k + t]
template <class T>
__attribute__((always_inline)) inline void add_eight_taps(const T* from, const T* w, int64_t count, T* to) {
  const T w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4], w5 = w[5], w6 = w[6], w7 = w[7];
  const T* __restrict f = from;
  T* __restrict out = to;
#pragma GCC ivdep
  for (int64_t k = 0; k < count; ++k)
    out[k] += ((w0 * f[k] + w1 * f[k + 1]) + (w2 * f[k + 2] + w3 * f[k + 3])) +
              ((w4 * f[k + 4] + w5 * f[k + 5]) + (w6 * f[k + 6] + w7 * f[k + 7]));
}
// to[k] = sum over four j of a[j] from[j stride + k]
template <class T>
__attribute__((always_inline)) inline void mix_four_rows(const T* from, const T* a, int64_t stride, int64_t count,
                                                         T* to) {
  const T a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  const T* __restrict f0 = from, * __restrict f1 = from + stride, * __restrict f2 = from + 2 * stride, * __restrict f3 = from + 3 * stride;
  T* __restrict out = to;
#pragma GCC ivdep
  for (int64_t k = 0; k < count; ++k) out[k] = (a0 * f0[k] + a1 * f1[k]) + (a2 * f2[k] + a3 * f3[k]);
}
// Its transpose, added.
template <class T>
__attribute__((always_inline)) inline void spread_to_four_rows(const T* from, const T* a, int64_t stride, int64_t count,
                                                               T* to) {
  const T* __restrict in = from;
  for (int64_t j = 0; j < 4; ++j) {
    T* __restrict out = to + j * stride;
    const T share = a[j];
#pragma GCC ivdep
    for (int64_t k = 0; k < count; ++k) out[k] += share * in[k];
  }
}

template <class T>
struct LineLoops {
  void (*add_eight)(const T*, const T*, int64_t, T*);
  void (*mix_four)(const T*, const T*, int64_t, int64_t, T*);
  void (*spread_four)(const T*, const T*, int64_t, int64_t, T*);
};
template <class T>
LineLoops<T> line_loops() {
  const CpuVariant best = best_cpu_variant();
  return {LoopVariants<add_eight_taps<T>>::of(best), LoopVariants<mix_four_rows<T>>::of(best),
          LoopVariants<spread_to_four_rows<T>>::of(best)};
}

double gaussian_at(double off) { return std::exp(-0.5 * off * off); }

}  // namespace

LineGrid LineGrid::crossing(int64_t rows, int64_t cols) {
  constexpr int64_t next_to = 3;
  const double step = 1 / static_cast<double>(cols);
  const double steepest = static_cast<double>(rows) / static_cast<double>(cols);
  return {rows, cols, 2 * (static_cast<int64_t>(std::ceil(steepest / step)) + next_to) + 1, step};
}

LineGrid::Heights LineGrid::crossing_at(double slope) const {
  const double most = static_cast<double>(rows) - std::abs(slope) * static_cast<double>(cols);  // [half rows]
  const double middle = static_cast<double>(rows - 1);
  if (most < 0) return {};
  return {std::max<int64_t>(0, static_cast<int64_t>(std::ceil(middle - most))),
          std::min(heights(), static_cast<int64_t>(std::floor(middle + most)) + 1)};
}

template <class T>
LineTable<T>::LineTable(const LineGrid& grid, LineValue value, double width) : grid_(grid) {
  for (int64_t i = 0; i < grid_.slopes; ++i) heights_.push_back(grid_.crossing_at(grid_.slope(i)));
  choose_strips();
  const double second = std::min(second_width, std::sqrt(0.5) * width);
  add_first_stage(std::sqrt(width * width - second * second));
  add_second_stage(value, 2 * second);
}

template <class T>
void LineTable<T>::choose_strips() {
  const int64_t wanted = std::max<int64_t>(2, std::llround(std::sqrt(strip_cost * static_cast<double>(grid_.cols))));
  const int64_t count = (grid_.cols + wanted - 1) / wanted;
  for (int64_t s = 0; s < count; ++s) {
    const int64_t first = s * grid_.cols / count, last = (s + 1) * grid_.cols / count;
    strips_.push_back({first, last, 0.5 * static_cast<double>(first + last - grid_.cols)});
    strip_width_ = std::max(strip_width_, last - first);
  }
  constexpr int64_t next_to = 3;
  const double steepest = std::abs(grid_.slope(0)) * static_cast<double>(strip_width_);
  strip_slopes_ = 2 * (static_cast<int64_t>(std::ceil(steepest)) + next_to) + 1;
}

template <class T>
void LineTable<T>::add_first_stage(double width) {
  half_ = taps / 2 * static_cast<int64_t>(std::ceil(reach_of_weights * width / (taps / 2.0)));
  const double farthest = strip_slope(strip_slopes_ - 1) * 0.5 * static_cast<double>(strip_width_);
  pad_ = static_cast<int64_t>(std::ceil(farthest)) + half_ + margin / 2 + 3;
  std::vector<double> w(static_cast<std::size_t>(first_taps()));
  for (const Strip& strip : strips_)
    for (int64_t c = strip.first; c < strip.last; ++c) {
      const double from_middle = static_cast<double>(c) + 0.5 - 0.5 * static_cast<double>(grid_.cols) - strip.middle;
      for (int64_t s = 0; s < strip_slopes_; ++s)
        for (const double above : {0.0, 0.5}) {
          const double shift = strip_slope(s) * from_middle + above, base = std::floor(shift);
          first_.push_back(pad_ + static_cast<int64_t>(base) - half_ + 1);
          double sum = 0;
          for (int64_t t = 0; t < first_taps(); ++t) {
            const double off = base + static_cast<double>(t + 1 - half_) - shift;
            sum += w[static_cast<std::size_t>(t)] = gaussian_at(off / width);
          }
          for (const double x : w) first_weights_.push_back(static_cast<T>(x / sum));
        }
    }
}

// width: [half rows]
template <class T>
void LineTable<T>::add_second_stage(LineValue value, double width) {
  for (const Strip& strip : strips_)
    for (int64_t i = 0; i < grid_.slopes; ++i) {
      FromStrip f{};
      const double slope = grid_.slope(i), higher = 2 * slope * strip.middle, base = std::floor(higher);
      f.first = static_cast<int64_t>(base) + heights_[static_cast<std::size_t>(i)].begin - taps / 2 + 1 + margin;
      const double at = slope * static_cast<double>(strip_width_) + 0.5 * (strip_slopes_ - 1.0);
      const double s0 = std::floor(at), t = at - s0;
      f.slope = static_cast<int64_t>(s0) - 1;
      // Catmull and Rom's cubics.
      const double mix[] = {t * (-0.5 + t * (1 - 0.5 * t)), 1 + t * t * (-2.5 + 1.5 * t), t * (0.5 + t * (2 - 1.5 * t)),
                            t * t * (-0.5 + 0.5 * t)};
      for (std::size_t j = 0; j < 4; ++j) f.of_slopes[j] = static_cast<T>(mix[j]);
      double sum = 0, first = 0, second = 0, off[taps], gauss[taps];
      for (int64_t k = 0; k < taps; ++k) {
        off[k] = static_cast<double>(k + 1 - taps / 2) - (higher - base);
        gauss[k] = gaussian_at(off[k] / width);
        sum += gauss[k];
        first += gauss[k] * off[k];
      }
      for (int64_t k = 0; k < taps; ++k) second += gauss[k] * (off[k] - first / sum) * off[k];
      for (int64_t k = 0; k < taps; ++k)
        f.weights[k] = static_cast<T>(value == LineValue::integral ? gauss[k] / sum
                                                                   : 2 * gauss[k] * (off[k] - first / sum) / second);
      second_.push_back(f);
    }
}

// Rows whose even and odd half rows lines that cross the detector take from a strip at one of its slopes.
template <class T>
typename LineTable<T>::Rows LineTable<T>::rows_of(const Strip& strip, int64_t slope) const {
  // Lines of slopes that are mixed from this one are at most two steps of a strip's slopes less steep.
  const double gentlest = std::max(0.0, std::abs(strip_slope(slope)) - 2 / static_cast<double>(strip_width_));
  const double most = static_cast<double>(grid_.rows) -
                      2 * gentlest * (0.5 * static_cast<double>(grid_.cols) - std::abs(strip.middle)) + taps;
  const double middle = static_cast<double>(grid_.rows - 1);
  return {std::max(-margin / 2, static_cast<int64_t>(std::floor(0.5 * (middle - most)))),
          std::min(grid_.rows + margin / 2, static_cast<int64_t>(std::floor(0.5 * (middle + most))) + 1)};
}

template <class T>
void LineTable<T>::prepare(Memory& m) const {
  m.columns.assign(static_cast<std::size_t>(grid_.cols * stride()), T(0));
  m.strip.resize(static_cast<std::size_t>(strip_slopes_ * strip_heights()));
  const auto length = static_cast<std::size_t>(strip_heights() + 2 * std::max(first_taps(), taps));
  m.row.resize(length);
  m.even.resize(length);
  m.odd.resize(length);
}

// First stage: of one strip, its lines along few slopes.
template <class T>
void LineTable<T>::fill_strip(std::size_t n, Memory& m) const {
  const LineLoops<T> loops = line_loops<T>();
  const Strip& strip = strips_[n];
  std::fill(m.strip.begin(), m.strip.end(), T(0));
  for (int64_t s = 0; s < strip_slopes_; ++s) {
    const Rows rows = rows_of(strip, s);
    const int64_t count = rows.end - rows.begin;
    if (count <= 0) continue;
    std::fill_n(m.even.begin(), count, T(0));
    std::fill_n(m.odd.begin(), count, T(0));
    for (int64_t c = strip.first; c < strip.last; ++c)
      for (int64_t half = 0; half < 2; ++half) {
        const auto at = static_cast<std::size_t>(2 * (c * strip_slopes_ + s) + half);
        const T* from = m.columns.data() + c * stride() + first_[at] + rows.begin;
        const T* w = first_weights_.data() + static_cast<int64_t>(at) * first_taps();
        T* to = half == 0 ? m.even.data() : m.odd.data();
        for (int64_t t = 0; t < first_taps(); t += taps) loops.add_eight(from + t, w + t, count, to);
      }
    T* to = m.strip.data() + s * strip_heights() + margin + 2 * rows.begin;
    for (int64_t k = 0; k < count; ++k) {
      to[2 * k] = m.even[static_cast<std::size_t>(k)];
      to[2 * k + 1] = m.odd[static_cast<std::size_t>(k)];
    }
  }
}

// Its transpose: adds to the columns. Weights in reverse, over rows with zeros at both ends.
template <class T>
void LineTable<T>::empty_strip(std::size_t n, Memory& m) const {
  const LineLoops<T> loops = line_loops<T>();
  const Strip& strip = strips_[n];
  const int64_t all = first_taps();
  std::vector<T> reversed(static_cast<std::size_t>(all));
  for (int64_t s = 0; s < strip_slopes_; ++s) {
    const Rows rows = rows_of(strip, s);
    const int64_t count = rows.end - rows.begin;
    if (count <= 0) continue;
    const T* from = m.strip.data() + s * strip_heights() + margin + 2 * rows.begin;
    for (auto* row : {&m.even, &m.odd}) {
      std::fill_n(row->begin(), all - 1, T(0));
      std::fill_n(row->begin() + all - 1 + count, all - 1, T(0));
    }
    for (int64_t k = 0; k < count; ++k) {
      m.even[static_cast<std::size_t>(all - 1 + k)] = from[2 * k];
      m.odd[static_cast<std::size_t>(all - 1 + k)] = from[2 * k + 1];
    }
    for (int64_t c = strip.first; c < strip.last; ++c)
      for (int64_t half = 0; half < 2; ++half) {
        const auto at = static_cast<std::size_t>(2 * (c * strip_slopes_ + s) + half);
        const T* w = first_weights_.data() + static_cast<int64_t>(at) * all;
        std::reverse_copy(w, w + all, reversed.begin());
        const T* row = half == 0 ? m.even.data() : m.odd.data();
        T* to = m.columns.data() + c * stride() + first_[at] + rows.begin;
        for (int64_t t = 0; t < all; t += taps) loops.add_eight(row + t, reversed.data() + t, count + all - 1, to);
      }
  }
}

template <class T>
void LineTable<T>::lines_of(const T* view, T* lines, Memory& m) const {
  const LineLoops<T> loops = line_loops<T>();
  prepare(m);
  for (int64_t r = 0; r < grid_.rows; ++r)
    for (int64_t c = 0; c < grid_.cols; ++c)
      m.columns[static_cast<std::size_t>(c * stride() + pad_ + grid_.rows - 1 - r)] = view[r * grid_.cols + c];
  std::fill_n(lines, grid_.size(), T(0));
  for (std::size_t n = 0; n < strips_.size(); ++n) {
    fill_strip(n, m);
    for (int64_t i = 0; i < grid_.slopes; ++i) {
      const auto [begin, end] = heights_[static_cast<std::size_t>(i)];
      if (end <= begin) continue;
      const FromStrip& f = second_[n * static_cast<std::size_t>(grid_.slopes) + static_cast<std::size_t>(i)];
      loops.mix_four(m.strip.data() + f.slope * strip_heights() + f.first, f.of_slopes, strip_heights(),
                     end - begin + taps - 1, m.row.data());
      loops.add_eight(m.row.data(), f.weights, end - begin, lines + i * grid_.heights() + begin);
    }
  }
}

template <class T>
void LineTable<T>::view_of(const T* lines, T* view, Memory& m) const {
  const LineLoops<T> loops = line_loops<T>();
  prepare(m);
  for (std::size_t n = 0; n < strips_.size(); ++n) {
    std::fill(m.strip.begin(), m.strip.end(), T(0));
    for (int64_t i = 0; i < grid_.slopes; ++i) {
      const auto [begin, end] = heights_[static_cast<std::size_t>(i)];
      const int64_t count = end - begin;
      if (count <= 0) continue;
      const FromStrip& f = second_[n * static_cast<std::size_t>(grid_.slopes) + static_cast<std::size_t>(i)];
      T reversed[taps];
      std::reverse_copy(f.weights, f.weights + taps, reversed);
      std::fill_n(m.even.begin(), taps - 1, T(0));
      std::copy_n(lines + i * grid_.heights() + begin, count, m.even.begin() + taps - 1);
      std::fill_n(m.even.begin() + taps - 1 + count, taps - 1, T(0));
      std::fill_n(m.row.begin(), count + taps - 1, T(0));
      loops.add_eight(m.even.data(), reversed, count + taps - 1, m.row.data());
      loops.spread_four(m.row.data(), f.of_slopes, strip_heights(), count + taps - 1,
                        m.strip.data() + f.slope * strip_heights() + f.first);
    }
    empty_strip(n, m);
  }
  for (int64_t r = 0; r < grid_.rows; ++r)
    for (int64_t c = 0; c < grid_.cols; ++c)
      view[r * grid_.cols + c] = m.columns[static_cast<std::size_t>(c * stride() + pad_ + grid_.rows - 1 - r)];
}

template class LineTable<float>;
template class LineTable<double>;

}  // namespace tl::ops
