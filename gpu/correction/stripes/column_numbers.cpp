// Computes the numbers of many columns at a time: sums over blocks of views row by row, medians over the blocks by a
// sorting network whose lanes are columns.
#include "gpu/correction/stripes/column_numbers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpu/correction/stripes/block_medians.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest_blocks = 200;
constexpr int64_t fewest_of_window = 16;  // blocks; with fewer in a third, all views are the only window
constexpr int64_t usual_quantum_reach = 24;
constexpr double least_noise = 2e-6;  // relative to the largest value: rounding of float32 and of earlier steps
constexpr double same_angle = 1e-3;   // of the mean step
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

struct BlockSums {
  BlockSums(int64_t blocks, int64_t cols) : cols_(cols) {
    for (auto* part : {&mean, &second, &fourth, &step, &least})
      part->assign(static_cast<std::size_t>(blocks * cols), 0);
    std::fill(least.begin(), least.end(), never);
  }
  [[nodiscard]] float* at(std::vector<float>& part, int64_t block) const { return part.data() + block * cols_; }

  std::vector<float> mean, second, fourth, step;  // [block, col] of values and of magnitudes of differences
  std::vector<float> least;                       // smallest difference of neighbouring views that is not 0

 private:
  int64_t cols_;
};

BlockSums block_sums(const MergedViews& m, int64_t blocks, int64_t of_block) {
  const int64_t cols = m.values.size(1), views = blocks * of_block, stride = m.values.stride(0);
  const float* x = m.values.const_data_ptr<float>();
  BlockSums sums(blocks, cols);
  std::vector<float> second(static_cast<std::size_t>(cols) + 1, 0.0F);
  for (int64_t b = 0; b < blocks; ++b) {
    ViewLine line{cols,
                  second.data(),
                  sums.at(sums.mean, b),
                  sums.at(sums.second, b),
                  sums.at(sums.fourth, b),
                  sums.at(sums.step, b),
                  sums.at(sums.least, b)};
    float seconds = 0, fourths = 0;
    for (int64_t v = b * of_block; v < (b + 1) * of_block; ++v) {
      const double* t = m.angles.data() + v;
      const auto at = [&](int64_t k) { return x + std::clamp<int64_t>(v + k, 0, views - 1) * stride; };
      for (int k = -2; k <= 2; ++k) line.x.at(static_cast<std::size_t>(k + 2)) = at(k);
      const bool three = v > 0 && v + 1 < views, five = v > 1 && v + 2 < views;
      line.second_weights = three ? difference_weights<3>(t - 1, std::sqrt(6.0)) : std::array<float, 3>{};
      line.fourth_weights = five ? difference_weights<5>(t - 2, std::sqrt(70.0)) : std::array<float, 5>{};
      seconds += three ? 1.0F : 0.0F;
      fourths += five ? 1.0F : 0.0F;
      add_view(line);
    }
    scale(line.mean, cols, 1 / static_cast<float>(of_block));
    for (float* part : {line.second_sum, line.step_sum}) scale(part, cols, seconds > 0 ? 1 / seconds : 0);
    scale(line.fourth_sum, cols, fourths > 0 ? 1 / fourths : 0);
  }
  return sums;
}

// Marks columns that are not finite, and gives them the values of the column before.
bool replace_broken(MergedViews& m, const std::vector<float>& mean, int64_t blocks, std::vector<uint8_t>& broken) {
  const auto cols = static_cast<int64_t>(broken.size());
  for (int64_t i = 0; i < blocks * cols; ++i)
    if (!std::isfinite(mean[static_cast<std::size_t>(i)])) broken[static_cast<std::size_t>(i % cols)] = 1;
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

// The difference of neighbouring counts in the middle of a column: the smallest change between neighbouring views that
// is not 0, which for absorption grows with exp(absorption), and the median of the columns around. Where nothing
// changes along the views (a disc on the axis), the smallest difference between neighbouring columns.
std::vector<double> quanta(const ColumnNumbers& n, const BlockSums& sums, const std::vector<float>& middle) {
  constexpr double most = 20;  // beyond this absorption nothing is counted
  const auto cols = static_cast<std::size_t>(n.cols);
  const auto grows = [=](double absorption) { return std::exp(std::clamp(absorption, -most, most)); };
  std::vector<double> own(cols, 0.0);
  double beside = never;
  for (std::size_t c = 0; c < cols; ++c) {
    double least = never;
    for (int64_t b = 0; b < n.blocks; ++b) {
      const std::size_t i = static_cast<std::size_t>(b) * cols + c;
      if (sums.least[i] < never) least = std::min(least, sums.least[i] / grows(sums.mean[i]));
      const double step = c + 1 < cols ? std::abs(sums.mean[i + 1] - sums.mean[i]) : 0;
      if (step > n.tiny) beside = std::min(beside, step);
    }
    own[c] = least < never ? least * grows(middle[c]) : 0;
  }
  std::vector<double> out(cols, 0.0), near;
  for (int64_t c = 0; c < n.cols; ++c) {
    near.clear();
    for (int64_t k = std::max<int64_t>(0, c - usual_quantum_reach); k <= std::min(n.cols - 1, c + usual_quantum_reach);
         ++k)
      if (own[static_cast<std::size_t>(k)] > 0) near.push_back(own[static_cast<std::size_t>(k)]);
    const auto half = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 2);
    if (!near.empty()) std::nth_element(near.begin(), half, near.end());
    out[static_cast<std::size_t>(c)] = !near.empty() ? *half : beside < never ? beside : 0;
  }
  return out;
}

std::vector<double> to_double(const std::vector<float>& x) { return {x.begin(), x.end()}; }

}  // namespace

ColumnNumbers column_numbers(const at::Tensor& sinogram, const std::vector<double>& angles) {
  MergedViews m = merged(sinogram, angles);
  const int64_t views = m.values.size(0), cols = m.values.size(1);
  ColumnNumbers n;
  n.cols = cols;
  n.views_of_block = std::max<int64_t>(1, views / fewest_blocks);
  n.blocks = views / n.views_of_block;
  n.windows = windows_of(n.blocks);
  n.broken.assign(static_cast<std::size_t>(cols), 0);
  BlockSums sums = block_sums(m, n.blocks, n.views_of_block);
  if (replace_broken(m, sums.mean, n.blocks, n.broken)) sums = block_sums(m, n.blocks, n.views_of_block);
  for (const float v : sums.mean) n.largest = std::max<double>(n.largest, std::abs(v));
  n.tiny = std::max(least_noise * n.largest, static_cast<double>(std::numeric_limits<float>::min()));
  const auto width = static_cast<std::size_t>(cols);
  const BlockMedians medians(n.blocks, cols);
  const std::vector<float> second = medians.of(sums.second), fourth = medians.of(sums.fourth);
  n.roughness = to_double(second);
  for (std::size_t c = 0; c < width; ++c) n.whiteness.push_back(second[c] > 0 ? fourth[c] / second[c] : 0);
  // Median, and mean, of the magnitude of normal numbers.
  const double to_sigma = n.views_of_block == 1 ? 1.4826 : 1.2533;
  for (const float v : medians.of(sums.step)) n.step_noise.push_back(to_sigma * v / std::sqrt(6.0));
  const std::vector<float> middle = medians.of(sums.mean);
  n.middle = to_double(middle);
  n.quantum = quanta(n, sums, middle);
  n.means = std::move(sums.mean);
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

}  // namespace tl::ops
