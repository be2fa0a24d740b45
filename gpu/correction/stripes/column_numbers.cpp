// Computes the numbers of many columns at a time: sums over blocks of views row by row, medians over the blocks by a
// sorting network whose lanes are columns.
#include "gpu/correction/stripes/column_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "gpu/correction/stripes/block_medians.h"
#include "gpu/correction/stripes/detection.h"
#include "gpu/correction/stripes/sliding_window.h"
#include "gpu/device/aligned_vector.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest_blocks = 200;
constexpr int64_t fewest_of_window = 16;  // blocks; with fewer in a third, all views are the only window
constexpr int64_t usual_quantum_reach = 24;
constexpr double min_noise = 2e-6;    // relative to the largest value: rounding of float32 and of earlier steps
constexpr double same_angle = 1e-3;   // of the mean step
constexpr int64_t fetched_ahead = 8;  // views: rows of a scan lie far apart, where no processor looks by itself
constexpr float never = std::numeric_limits<float>::infinity();

// All blocks, then five thirds that overlap by half.
std::vector<BlockWindow> windows_of(int64_t blocks) {
  std::vector<BlockWindow> all{{0, blocks}};
  const int64_t third = blocks / 3;
  if (third < fewest_of_window) return all;
  for (const int64_t begin : {int64_t{0}, third / 2, third, 3 * third / 2, 2 * third})
    all.push_back({begin, begin + third});
  return all;
}

struct MergedViews {
  at::Tensor values;           // float32 [view, col], columns adjacent in memory
  std::vector<double> angles;  // ascending
  // Of each view that has enough views before and after it; 0 for others.
  std::vector<std::array<float, 3>> second_weights = {};
  std::vector<std::array<float, 5>> fourth_weights = {};
};

MergedViews merged(const at::Tensor& sinogram, const std::vector<double>& angles) {
  const int64_t views = sinogram.size(0);
  MergedViews m{sinogram.detach().to(at::kFloat), angles};
  if (m.values.stride(1) != 1) m.values = m.values.contiguous();
  if (angles.empty()) {
    for (int64_t v = 0; v < views; ++v) m.angles.push_back(static_cast<double>(v));
    return m;
  }
  const double tolerance = same_angle * (angles.back() - angles.front()) / static_cast<double>(views);
  std::vector<int64_t> group;
  std::vector<double> own;
  for (const double a : angles) {
    if (own.empty() || a - own.back() > tolerance) own.push_back(a);
    group.push_back(static_cast<int64_t>(own.size()) - 1);
  }
  const auto groups = static_cast<int64_t>(own.size());
  if (groups == views) return m;
  const at::Tensor of = at::tensor(group, at::kLong);
  const at::Tensor count = at::zeros({groups}, at::kDouble).index_add(0, of, at::ones({views}, at::kDouble));
  const at::Tensor sum = at::zeros({groups, sinogram.size(1)}, at::kDouble).index_add(0, of, m.values.to(at::kDouble));
  return {(sum / count.unsqueeze(1)).to(at::kFloat), own};
}

// Weights of the divided difference through these angles, in the size that makes it sqrt(sum of binomials^2) times the
// noise of one value, as equal steps do: sqrt(6) for three angles, sqrt(70) for five.
template <std::size_t N>
std::array<float, N> difference_weights(const double* angles, double noise) {
  std::array<double, N> w{};
  double squares = 0;
  for (std::size_t i = 0; i < N; ++i) {
    w.at(i) = 1;
    for (std::size_t j = 0; j < N; ++j)
      if (j != i) w.at(i) *= (angles[N - 1] - angles[0]) / (angles[i] - angles[j]);
    squares += w.at(i) * w.at(i);
  }
  std::array<float, N> out{};
  for (std::size_t i = 0; i < N; ++i) out.at(i) = static_cast<float>(w.at(i) * noise / std::sqrt(squares));
  return out;
}

// For the first `views` views.
void add_weights(MergedViews& m, int64_t views) {
  m.second_weights.assign(static_cast<std::size_t>(views), {});
  m.fourth_weights.assign(static_cast<std::size_t>(views), {});
  for (int64_t v = 1; v + 1 < views; ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double* t = m.angles.data() + v;
    m.second_weights[i] = difference_weights<3>(t - 1, std::sqrt(6.0));
    if (v > 1 && v + 2 < views) m.fourth_weights[i] = difference_weights<5>(t - 2, std::sqrt(70.0));
  }
}

// Sums over the views of each block, for some columns. Memory is kept from one set of columns to the next.
struct BlockSums {
  void reset(int64_t blocks, int64_t columns) {
    cols = columns;
    for (auto* part : {&mean, &second, &fourth, &step}) part->assign(static_cast<std::size_t>(blocks * cols), 0);
    least.assign(mean.size(), never);
    scratch.assign(static_cast<std::size_t>(cols) + 1, 0);
  }
  [[nodiscard]] float* at(AlignedVector<float>& part, int64_t block) const { return part.data() + block * cols; }

  int64_t cols = 0;
  AlignedVector<float> mean, second, fourth, step;  // [block, col] of values and of magnitudes of differences
  AlignedVector<float> least;                       // smallest difference of neighbouring views that is not 0
  AlignedVector<float> scratch;
};

// Of the columns from `first` on.
void add_views(const MergedViews& m, int64_t first, int64_t blocks, int64_t of_block, BlockSums& sums) {
  const int64_t cols = sums.cols, views = blocks * of_block, stride = m.values.stride(0);
  const float* x = m.values.const_data_ptr<float>() + first;
  for (int64_t b = 0; b < blocks; ++b) {
    ViewLine line{cols,
                  sums.scratch.data(),
                  sums.at(sums.mean, b),
                  sums.at(sums.second, b),
                  sums.at(sums.fourth, b),
                  sums.at(sums.step, b),
                  sums.at(sums.least, b),
                  x};
    float seconds = 0, fourths = 0;
    for (int64_t v = b * of_block; v < (b + 1) * of_block; ++v) {
      const auto at = [&](int64_t k) { return x + std::clamp<int64_t>(v + k, 0, views - 1) * stride; };
      for (int k = -2; k <= 2; ++k) line.x.at(static_cast<std::size_t>(k + 2)) = at(k);
      line.ahead = at(fetched_ahead);
      line.second_weights = m.second_weights[static_cast<std::size_t>(v)];
      line.fourth_weights = m.fourth_weights[static_cast<std::size_t>(v)];
      seconds += line.second_weights[0] != 0 ? 1.0F : 0.0F;
      fourths += line.fourth_weights[0] != 0 ? 1.0F : 0.0F;
      add_view(line);
    }
    scale(line.mean, cols, 1 / static_cast<float>(of_block));
    for (float* part : {line.second_sum, line.step_sum}) scale(part, cols, seconds > 0 ? 1 / seconds : 0);
    scale(line.fourth_sum, cols, fourths > 0 ? 1 / fourths : 0);
  }
}

// Marks columns that are not finite, and gives them the values of the column before.
bool replace_broken(MergedViews& m, const std::vector<float>& mean, int64_t blocks, std::vector<uint8_t>& broken) {
  const auto cols = static_cast<int64_t>(broken.size());
  std::vector<float> zero(broken.size(), 0.0F);  // stays so unless a value is not finite
  for (int64_t b = 0; b < blocks; ++b)
    for (int64_t c = 0; c < cols; ++c)
      zero[static_cast<std::size_t>(c)] += 0.0F * mean[static_cast<std::size_t>(b * cols + c)];
  std::transform(zero.begin(), zero.end(), broken.begin(),
                 [](float v) { return static_cast<uint8_t>(v != 0 || std::isnan(v)); });
  if (std::find(broken.begin(), broken.end(), uint8_t{1}) == broken.end()) return false;
  std::vector<int64_t> from;
  int64_t last = -1;
  for (int64_t c = 0; c < cols; ++c) {
    if (broken[static_cast<std::size_t>(c)] == 0) last = c;
    from.push_back(std::max<int64_t>(last, 0));
  }
  m.values = m.values.index_select(1, at::tensor(from, at::kLong));
  for (int64_t c = 0; c < cols && broken[static_cast<std::size_t>(c)] != 0; ++c) m.values.select(1, c).zero_();
  return true;
}

// Of each column: its smallest change between neighbouring views that is not 0, scaled from where it was found to the
// middle of the column; for absorption it grows with exp(absorption). 0: nothing changes.
std::vector<double> own_quanta(const BlockSums& sums, const std::vector<float>& middle) {
  constexpr double most = 20;            // beyond this absorption nothing is counted
  constexpr double rounding = 1 + 1e-6;  // to float
  const auto cols = static_cast<std::size_t>(sums.cols);
  const auto grows = [=](double absorption) { return std::exp(std::clamp(absorption, -most, most)); };
  std::vector<float> highest(cols, -never), lowest(cols, never), smallest(cols, never);
  for (std::size_t i = 0; i < sums.mean.size(); i += cols)
    for (std::size_t c = 0; c < cols; ++c) {
      const float mean = sums.mean[i + c], change = sums.least[i + c];
      highest[c] = highest[c] < mean ? mean : highest[c];
      lowest[c] = mean < lowest[c] ? mean : lowest[c];
      smallest[c] = change < smallest[c] ? change : smallest[c];
    }
  // Exponentials take longer than all the rest: only where the result could be smaller than what was found.
  constexpr std::size_t together = 16;
  std::vector<double> least(cols, never), growth(cols);
  std::vector<float> beyond(cols);
  for (std::size_t c = 0; c < cols; ++c) {
    growth[c] = grows(highest[c]);
    beyond[c] = static_cast<float>(rounding * smallest[c] * growth[c] / grows(lowest[c]));
  }
  for (std::size_t first = 0; first < cols; first += together)
    for (std::size_t i = 0; i < sums.least.size(); i += cols) {
      const std::size_t end = std::min(first + together, cols);
      int32_t smaller = 0;
      for (std::size_t c = first; c < end; ++c) smaller |= sums.least[i + c] < beyond[c] ? 1 : 0;
      for (std::size_t c = first; smaller != 0 && c < end; ++c) {
        if (!(sums.least[i + c] < beyond[c])) continue;
        least[c] = std::min(least[c], sums.least[i + c] / grows(sums.mean[i + c]));
        beyond[c] = static_cast<float>(rounding * least[c] * growth[c]);
      }
    }
  for (std::size_t c = 0; c < cols; ++c) least[c] = least[c] < never ? least[c] * grows(middle[c]) : 0;
  return least;
}

// The smallest difference between neighbouring columns that is not 0; 0 without any.
double min_step(const ColumnNumbers& n) {
  double least = never;
  const auto cols = static_cast<std::size_t>(n.cols);
  for (std::size_t i = 0; i < n.means.size(); i += cols)
    for (std::size_t c = i; c + 1 < i + cols; ++c) {
      const double step = std::abs(n.means[c + 1] - n.means[c]);
      if (step > n.tiny) least = std::min(least, step);
    }
  return least < never ? least : 0;
}

// The difference of neighbouring counts in the middle of a column: the median of the columns around of their own. Where
// nothing changes along the views (a disc on the axis), the smallest difference between neighbouring columns.
std::vector<double> quanta(const ColumnNumbers& n) {
  std::vector<double> out(n.own_quantum.size(), 0.0);
  std::optional<double> fallback;
  SlidingWindow near;
  const auto own = [&](int64_t c) { return c < 0 || c >= n.cols ? 0 : n.own_quantum[static_cast<std::size_t>(c)]; };
  for (int64_t c = -usual_quantum_reach; c < n.cols; ++c) {
    const double goes = own(c - usual_quantum_reach - 1), comes = own(c + usual_quantum_reach);
    if (goes > 0) near.remove(goes);
    if (comes > 0) near.add(comes);
    if (c < 0) continue;
    if (near.empty() && !fallback) fallback = min_step(n);
    out[static_cast<std::size_t>(c)] = near.empty() ? *fallback : near.median();
  }
  return out;
}

float largest_magnitude(const std::vector<float>& values, std::size_t cols) {
  // By columns: a maximum over all would be computed one by one.
  std::vector<float> most(cols, 0.0F);
  for (std::size_t i = 0; i < values.size(); i += cols)
    for (std::size_t c = 0; c < cols; ++c) {
      const float size = std::abs(values[i + c]);
      most[c] = most[c] < size ? size : most[c];
    }
  return *std::max_element(most.begin(), most.end());
}

// What is known from the numbers of single columns.
void add_common_numbers(ColumnNumbers& n) {
  n.largest = largest_magnitude(n.means, static_cast<std::size_t>(n.cols));
  n.tiny = std::max(min_noise * n.largest, static_cast<double>(std::numeric_limits<float>::min()));
  n.quantum = quanta(n);
}

std::vector<double> to_double(const std::vector<float>& x) { return {x.begin(), x.end()}; }

// What is summed over views: some columns at a time, so that their sums stay in the cache until their medians are
// taken.
void add_variations(ColumnNumbers& n, const MergedViews& m) {
  constexpr int64_t at_a_time = 80;
  // Median, and mean, of the magnitude of normal numbers.
  const double to_deviation = n.views_of_block == 1 ? 1.4826 : 1.2533;
  BlockSums sums;
  const auto put = [&n](std::vector<double>& to, int64_t first, int64_t count, const auto& value) {
    to.resize(static_cast<std::size_t>(n.cols));
    for (int64_t c = 0; c < count; ++c) to[static_cast<std::size_t>(first + c)] = value(static_cast<std::size_t>(c));
  };
  n.means.resize(static_cast<std::size_t>(n.blocks * n.cols));
  // The last column is read for the step to it. The last columns are read with some that are known already, since a
  // number of columns that fills no vectors takes longer.
  for (int64_t next = 0; next < n.cols; next += at_a_time - 1) {
    const int64_t first = std::max<int64_t>(0, std::min(next, n.cols - at_a_time));
    sums.reset(n.blocks, std::min(at_a_time, n.cols - first));
    add_views(m, first, n.blocks, n.views_of_block, sums);
    const bool at_end = first + sums.cols == n.cols;
    const int64_t count = at_end ? sums.cols : sums.cols - 1;
    const BlockMedians medians(n.blocks, sums.cols);
    const std::vector<float> second = medians.of(sums.second.data()), fourth = medians.of(sums.fourth.data()),
                             step = medians.of(sums.step.data()), middle = medians.of(sums.mean.data());
    const std::vector<double> own = own_quanta(sums, middle);
    put(n.roughness, first, count, [&](std::size_t c) { return second[c]; });
    put(n.whiteness, first, count, [&](std::size_t c) { return second[c] > 0 ? fourth[c] / second[c] : 0; });
    put(n.step_noise, first, count, [&](std::size_t c) {
      return at_end && static_cast<int64_t>(c) + 1 == sums.cols ? 0 : to_deviation * step[c] / std::sqrt(6.0);
    });
    put(n.middle, first, count, [&](std::size_t c) { return middle[c]; });
    put(n.own_quantum, first, count, [&](std::size_t c) { return own[c]; });
    for (int64_t b = 0; b < n.blocks; ++b)
      std::copy_n(sums.at(sums.mean, b), count, n.means.begin() + b * n.cols + first);
    if (at_end) break;
  }
}

// All but what add_common_numbers() adds.
ColumnNumbers numbers_of_columns(MergedViews m) {
  const int64_t views = m.values.size(0);
  ColumnNumbers n;
  n.cols = m.values.size(1);
  n.views_of_block = std::max<int64_t>(1, views / fewest_blocks);
  n.blocks = views / n.views_of_block;
  n.windows = windows_of(n.blocks);
  n.broken.assign(static_cast<std::size_t>(n.cols), 0);
  add_weights(m, n.blocks * n.views_of_block);
  add_variations(n, m);
  if (replace_broken(m, n.means, n.blocks, n.broken)) add_variations(n, m);
  const BlockMedians medians(n.blocks, n.cols);
  std::vector<float> spread;
  for (const BlockWindow& w : n.windows) {
    StepMedians s = medians.of_steps(n.means, w.begin, w.end);
    n.step.push_back(to_double(s.step));
    n.passing.push_back(to_double(s.error));
    if (spread.empty()) spread = std::move(s.spread);
  }
  n.step_spread = to_double(spread);
  return n;
}

// Columns within this distance of marked ones.
std::vector<uint8_t> widened(const std::vector<uint8_t>& marked, int64_t reach) {
  std::vector<uint8_t> wide = marked;
  for (int64_t i = 0; i < reach; ++i) wide = with_neighbour_columns(wide);
  return wide;
}

bool any_broken(const ColumnNumbers& n) {
  return std::find(n.broken.begin(), n.broken.end(), uint8_t{1}) != n.broken.end();
}

}  // namespace

ColumnNumbers column_numbers(const at::Tensor& sinogram, const std::vector<double>& angles) {
  ColumnNumbers n = numbers_of_columns(merged(sinogram, angles));
  add_common_numbers(n);
  return n;
}

ColumnNumbers column_numbers(ColumnNumbers before, const at::Tensor& sinogram, const std::vector<double>& angles,
                             const std::vector<uint8_t>& changed) {
  // The bend of a column and the next one reads those on both sides of them.
  constexpr int64_t reach = 2;
  // Vectors are filled with repetitions of the last column.
  constexpr std::size_t filled = 16;
  const std::vector<uint8_t> renewed = widened(changed, reach), read = widened(changed, 2 * reach);
  std::vector<int64_t> columns;
  for (std::size_t c = 0; c < read.size(); ++c)
    if (read[c] != 0) columns.push_back(static_cast<int64_t>(c));
  if (any_broken(before) || columns.empty()) return column_numbers(sinogram, angles);
  const std::size_t count = columns.size();
  columns.resize((count + filled - 1) / filled * filled, columns.back());
  const ColumnNumbers some =
      numbers_of_columns(merged(sinogram.index_select(1, at::tensor(columns, at::kLong)), angles));
  if (any_broken(some)) return column_numbers(sinogram, angles);
  ColumnNumbers n = std::move(before);
  const auto copy = [&](const auto& from, auto& to, int64_t below) {
    for (std::size_t i = 0; i < count && columns[i] < below; ++i)
      if (const auto c = static_cast<std::size_t>(columns[i]); renewed[c] != 0) to[c] = from[i];
  };
  for (int64_t b = 0; b < n.blocks; ++b) {
    auto to = n.means.begin() + b * n.cols;
    copy(some.means.begin() + b * some.cols, to, n.cols);
  }
  for (const auto part :
       {&ColumnNumbers::middle, &ColumnNumbers::roughness, &ColumnNumbers::whiteness, &ColumnNumbers::own_quantum})
    copy(some.*part, n.*part, n.cols);
  for (const auto part : {&ColumnNumbers::step_noise, &ColumnNumbers::step_spread})
    copy(some.*part, n.*part, n.cols - 1);
  for (std::size_t w = 0; w < n.windows.size(); ++w) {
    copy(some.step[w], n.step[w], n.cols - 1);
    copy(some.passing[w], n.passing[w], n.cols - 1);
  }
  add_common_numbers(n);
  return n;
}

}  // namespace tl::ops
