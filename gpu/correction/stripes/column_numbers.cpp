// Computes the numbers of many columns at a time: sums over blocks of views row by row, medians over the blocks by a
// sorting network whose lanes are columns.
#include "gpu/correction/stripes/column_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "gpu/correction/stripes/column_values.h"
#include "gpu/correction/stripes/detection.h"
#include "gpu/correction/stripes/sliding_window.h"
#include "gpu/device/aligned_vector.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest_of_window = 16;  // [blocks] with fewer in a third of the views, all views are the only window
constexpr int64_t usual_quantum_reach = 24;
constexpr int64_t columns_of_vector = 16;
constexpr double min_noise = 2e-6;  // relative to the largest value: rounding of float32 and earlier steps
constexpr float never = std::numeric_limits<float>::infinity();

// All blocks, then five thirds of them that overlap by half.
std::vector<BlockWindow> windows_of(int64_t blocks) {
  std::vector<BlockWindow> all{{0, blocks}};
  const int64_t third = blocks / 3;
  if (third < fewest_of_window) return all;
  for (const int64_t begin : {int64_t{0}, third / 2, third, 3 * third / 2, 2 * third})
    all.push_back({begin, begin + third});
  return all;
}

// float32 [view, col], columns contiguous in memory: views at equal angles are averaged.
at::Tensor joined_views(const at::Tensor& sinogram, const ViewDifferences& d) {
  at::Tensor values = sinogram.detach().to(at::kFloat);
  if (values.stride(1) != 1) values = values.contiguous();
  if (d.group.empty()) return values;
  const at::Tensor of = at::tensor(d.group, at::kLong);
  const at::Tensor count = at::zeros({d.views}, at::kDouble).index_add(0, of, at::ones({d.recorded}, at::kDouble));
  const at::Tensor sum = at::zeros({d.views, sinogram.size(1)}, at::kDouble).index_add(0, of, values.to(at::kDouble));
  return (sum / count.unsqueeze(1)).to(at::kFloat);
}

// Sums over the views of each block, for some neighbouring columns. Memory is reused from one set of columns to the
// next.
struct BlockSums {
  void reset(int64_t blocks, int64_t of_block, int64_t columns) {
    cols = columns;
    for (auto* part : {&mean, &second, &fourth, &step, &least}) part->resize(static_cast<std::size_t>(blocks * cols));
    highest.assign(static_cast<std::size_t>(cols), -never);
    lowest.assign(static_cast<std::size_t>(cols), never);
    smallest.assign(static_cast<std::size_t>(cols), never);
    scratch.resize(static_cast<std::size_t>(of_block * scratch_stride(cols)));
  }
  [[nodiscard]] float* at(AlignedVector<float>& part, int64_t block) const { return part.data() + block * cols; }

  int64_t cols = 0;
  AlignedVector<float> mean, second, fourth, step;  // [block, col] means of values and of magnitudes of differences
  AlignedVector<float> least;                       // smallest non-zero difference of neighbouring views
  AlignedVector<float> highest, lowest, smallest;   // [col] over all blocks: extremes of means, smallest difference
  AlignedVector<float> scratch;
};

// For the columns from `first` on.
void sum_views(const at::Tensor& values, const ViewDifferences& d, int64_t first, BlockSums& sums) {
  const int64_t views = d.blocks * d.of_block;
  std::vector<const float*> lines;
  for (int64_t v = -2; v < views + fetched_ahead; ++v)
    lines.push_back(values.const_data_ptr<float>() + std::clamp<int64_t>(v, 0, views - 1) * values.stride(0) + first);
  ViewBlock block{.cols = sums.cols, .views = d.of_block, .has_next = first + sums.cols < values.size(1)};
  block.scratch = sums.scratch.data();
  block.highest = sums.highest.data();
  block.lowest = sums.lowest.data();
  block.smallest = sums.smallest.data();
  for (int64_t b = 0; b < d.blocks; ++b) {
    const auto begin = static_cast<std::size_t>(b * d.of_block);
    block.lines = lines.data() + 2 + begin;
    block.second_weights = d.second.data() + begin;
    block.fourth_weights = d.fourth.data() + begin;
    float seconds = 0, fourths = 0;
    for (int64_t v = 0; v < d.of_block; ++v) {
      seconds += block.second_weights[v][0] != 0 ? 1.0F : 0.0F;
      fourths += block.fourth_weights[v][0] != 0 ? 1.0F : 0.0F;
    }
    block.of_mean = 1 / static_cast<float>(d.of_block);
    block.of_second = seconds > 0 ? 1 / seconds : 0;
    block.of_fourth = fourths > 0 ? 1 / fourths : 0;
    block.mean = sums.at(sums.mean, b);
    block.second = sums.at(sums.second, b);
    block.fourth = sums.at(sums.fourth, b);
    block.step = sums.at(sums.step, b);
    block.least = sums.at(sums.least, b);
    sum_view_block(block);
  }
}

// Marks columns with non-finite values, and replaces them by the values of the previous column.
bool replace_broken(at::Tensor& values, const std::vector<float>& mean, int64_t blocks, std::vector<uint8_t>& broken) {
  const auto cols = static_cast<int64_t>(broken.size());
  std::vector<float> zero(broken.size(), 0.0F);  // stays zero unless a value is not finite
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
  values = values.index_select(1, at::tensor(from, at::kLong));
  for (int64_t c = 0; c < cols && broken[static_cast<std::size_t>(c)] != 0; ++c) values.select(1, c).zero_();
  return true;
}

// For each column: its smallest non-zero change between neighbouring views, scaled from where it was found to the
// median of the column; for absorption it grows with exp(absorption). 0: the column is constant.
std::vector<double> own_quanta(const BlockSums& sums, const std::vector<float>& middle) {
  constexpr double most = 20;            // absorption above which no photons are counted
  constexpr double rounding = 1 + 1e-6;  // to float
  const auto cols = static_cast<std::size_t>(sums.cols);
  const auto grows = [=](double absorption) { return std::exp(std::clamp(absorption, -most, most)); };
  // Exponentials take more time than everything else: computed only if the result could be the new minimum.
  constexpr std::size_t together = 16;
  std::vector<double> least(cols, never), growth(cols);
  std::vector<float> beyond(cols);
  for (std::size_t c = 0; c < cols; ++c) {
    growth[c] = grows(sums.highest[c]);
    beyond[c] = static_cast<float>(rounding * sums.smallest[c] * growth[c] / grows(sums.lowest[c]));
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

// The difference of neighbouring counts at the median of a column: the median of own_quantum over the columns around
// it. If nothing changes along the views (a disc on the axis), the smallest difference between neighbouring columns.
std::vector<double> quanta(const ColumnNumbers& n) {
  std::vector<double> out(n.own_quantum.size(), 0.0);
  std::optional<double> fallback;
  SlidingWindow near;
  const auto own = [&](int64_t c) { return c < 0 || c >= n.cols ? 0 : n.own_quantum[static_cast<std::size_t>(c)]; };
  for (int64_t c = -usual_quantum_reach; c < n.cols; ++c) {
    const double goes = own(c - usual_quantum_reach - 1), comes = own(c + usual_quantum_reach);
    if (goes > 0 && comes > 0) {
      near.replace(goes, comes);
    } else {
      if (goes > 0) near.remove(goes);
      if (comes > 0) near.add(comes);
    }
    if (c < 0) continue;
    if (near.empty() && !fallback) fallback = min_step(n);
    out[static_cast<std::size_t>(c)] = near.empty() ? *fallback : near.median();
  }
  return out;
}

float largest_magnitude(const std::vector<float>& values, std::size_t cols) {
  // By columns: the compiler would not vectorize a maximum over all values.
  std::vector<float> most(cols, 0.0F);
  for (std::size_t i = 0; i < values.size(); i += cols)
    for (std::size_t c = 0; c < cols; ++c) {
      const float size = std::abs(values[i + c]);
      most[c] = most[c] < size ? size : most[c];
    }
  return *std::max_element(most.begin(), most.end());
}

// Adds numbers that depend on the numbers of all columns.
void add_common_numbers(ColumnNumbers& n) {
  n.largest = largest_magnitude(n.means, static_cast<std::size_t>(n.cols));
  n.tiny = std::max(min_noise * n.largest, static_cast<double>(std::numeric_limits<float>::min()));
  n.quantum = quanta(n);
}

std::vector<double> to_double(const std::vector<float>& x) { return {x.begin(), x.end()}; }

// Adds sums over views: for some columns at a time, so that their sums stay in the cache until their medians are
// computed.
void add_variations(ColumnNumbers& n, const at::Tensor& values, const ViewDifferences& d) {
  constexpr int64_t at_a_time = 5 * columns_of_vector;
  // Median, and mean, of the magnitude of normal numbers.
  const double to_deviation = n.views_of_block == 1 ? 1.4826 : 1.2533;
  BlockSums sums;
  const auto put = [&n](std::vector<double>& to, int64_t first, int64_t count, const auto& value) {
    to.resize(static_cast<std::size_t>(n.cols));
    for (int64_t c = 0; c < count; ++c) to[static_cast<std::size_t>(first + c)] = value(static_cast<std::size_t>(c));
  };
  n.means.resize(static_cast<std::size_t>(n.blocks * n.cols));
  for (int64_t next = 0; next < n.cols; next += at_a_time) {
    // Columns that do not fill a vector take longer: the last ones are computed together with some already known.
    const bool fills = next + at_a_time <= n.cols || (n.cols - next) % columns_of_vector == 0;
    const int64_t first = fills ? next : std::max<int64_t>(0, n.cols - at_a_time);
    const int64_t count = std::min(at_a_time, n.cols - first);
    sums.reset(n.blocks, n.views_of_block, count);
    sum_views(values, d, first, sums);
    const BlockMedians medians(n.blocks, count);
    const std::vector<float> second = medians.of(sums.second.data()), fourth = medians.of(sums.fourth.data()),
                             step = medians.of(sums.step.data()), middle = medians.of(sums.mean.data());
    const std::vector<double> own = own_quanta(sums, middle);
    put(n.roughness, first, count, [&](std::size_t c) { return second[c]; });
    put(n.whiteness, first, count, [&](std::size_t c) { return second[c] > 0 ? fourth[c] / second[c] : 0; });
    put(n.step_noise, first, count, [&](std::size_t c) { return to_deviation * step[c] / std::sqrt(6.0); });
    put(n.middle, first, count, [&](std::size_t c) { return middle[c]; });
    put(n.own_quantum, first, count, [&](std::size_t c) { return own[c]; });
    for (int64_t b = 0; b < n.blocks; ++b)
      std::copy_n(sums.at(sums.mean, b), count, n.means.begin() + b * n.cols + first);
  }
  n.step_noise.back() = 0;  // no column follows
}

// All but what add_common_numbers() adds.
ColumnNumbers numbers_of_columns(at::Tensor values, const ViewDifferences& d) {
  ColumnNumbers n;
  n.cols = values.size(1);
  n.views_of_block = d.of_block;
  n.blocks = d.blocks;
  n.windows = windows_of(n.blocks);
  n.broken.assign(static_cast<std::size_t>(n.cols), 0);
  add_variations(n, values, d);
  if (replace_broken(values, n.means, n.blocks, n.broken)) add_variations(n, values, d);
  const BlockMedians medians(n.blocks, n.cols);
  const StepMedians steps = medians.of_steps(n.means, n.windows);
  for (const std::vector<float>& step : steps.step) n.step.push_back(to_double(step));
  n.step_spread = to_double(steps.spread);
  return n;
}

// Columns within this distance of marked columns.
std::vector<uint8_t> widened(const std::vector<uint8_t>& marked, int64_t reach) {
  std::vector<uint8_t> wide = marked;
  for (int64_t i = 0; i < reach; ++i) wide = with_neighbour_columns(wide);
  return wide;
}

bool any_broken(const ColumnNumbers& n) {
  return std::find(n.broken.begin(), n.broken.end(), uint8_t{1}) != n.broken.end();
}

}  // namespace

ColumnNumbers column_numbers(const at::Tensor& sinogram, const ViewDifferences& views) {
  ColumnNumbers n = numbers_of_columns(joined_views(sinogram, views), views);
  add_common_numbers(n);
  return n;
}

ColumnNumbers column_numbers(ColumnNumbers before, const at::Tensor& sinogram, const ViewDifferences& views,
                             const std::vector<uint8_t>& changed) {
  // The bend between a column and the next one uses the columns on both sides of them.
  constexpr int64_t reach = 2;
  const std::vector<uint8_t> renewed = widened(changed, reach), read = widened(changed, 2 * reach);
  std::vector<int64_t> columns = indices_of(read);
  if (any_broken(before) || columns.empty()) return column_numbers(sinogram, views);
  const std::size_t count = columns.size();
  // Vectors are filled with repetitions of the last column.
  constexpr auto filled = static_cast<std::size_t>(columns_of_vector);
  columns.resize((count + filled - 1) / filled * filled, columns.back());
  const ColumnNumbers some = numbers_of_columns(joined_views(columns_at(sinogram, columns), views), views);
  if (any_broken(some)) return column_numbers(sinogram, views);
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
  for (std::size_t w = 0; w < n.windows.size(); ++w) copy(some.step[w], n.step[w], n.cols - 1);
  add_common_numbers(n);
  return n;
}

std::vector<std::vector<double>> step_errors(const ColumnNumbers& numbers, const std::vector<int64_t>& columns) {
  std::vector<std::vector<double>> out;
  const BlockMedians medians(numbers.blocks, numbers.cols);
  for (const std::vector<float>& errors : medians.errors_of_bends(numbers.means, numbers.windows, columns))
    out.push_back(to_double(errors));
  return out;
}

}  // namespace tl::ops
