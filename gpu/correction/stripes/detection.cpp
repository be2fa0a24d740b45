// Detects outstanding columns by Vo's method: sorts the numbers of all columns and fits a line to them.
#include "gpu/correction/stripes/detection.h"

#include <algorithm>
#include <cmath>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/running_medians.h"
#include "gpu/correction/stripes/sliding_window.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

// Up to this window all values of it are compared, which is faster than to search for a position.
constexpr int64_t widest_of_numbers = 200;
constexpr std::size_t fewest_columns = 8;  // a line through the middle half needs at least four points

struct Line {
  double start, end;  // values at the first and the last index
};

// Least squares through sorted[n/4 ... n-n/4).
Line middle_line(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size(), first = n / 4, last = n - n / 4;
  const double count = static_cast<double>(last - first), centre = 0.5 * static_cast<double>(first + last - 1);
  double mean = 0, slope = 0, squares = 0;
  for (std::size_t i = first; i < last; ++i) mean += sorted[i] / count;
  for (std::size_t i = first; i < last; ++i) {
    const double x = static_cast<double>(i) - centre;
    slope += x * (sorted[i] - mean);
    squares += x * x;
  }
  slope /= squares;
  return {mean - slope * centre, mean + slope * (static_cast<double>(n - 1) - centre)};
}

}  // namespace

std::vector<uint8_t> detect_stripes(const std::vector<double>& values, const StripeDetection& detection) {
  std::vector<uint8_t> marked(values.size(), 0);
  std::vector<double> sorted;
  for (const double v : values)
    if (std::isfinite(v)) sorted.push_back(v);
  for (std::size_t i = 0; i < values.size(); ++i) marked[i] = std::isfinite(values[i]) ? 0 : 1;
  if (sorted.size() < fewest_columns) return std::vector<uint8_t>(values.size(), 0);
  std::sort(sorted.begin(), sorted.end());
  const Line line = middle_line(sorted);
  const double noise = std::abs(line.end - line.start);
  const double beyond = std::max(0.5 * detection.snr * noise, detection.least);
  const bool high = sorted.back() - line.end >= std::max(detection.snr * noise, detection.least);
  const bool low = line.start - sorted.front() >= std::max(detection.snr * noise, detection.least);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (high && values[i] > line.end + beyond) marked[i] = 1;
    if (low && values[i] < line.start - beyond) marked[i] = 1;
  }
  return marked;
}

bool nan_last(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

std::vector<uint8_t> with_neighbour_columns(const std::vector<uint8_t>& marked) {
  std::vector<uint8_t> out = marked;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] == 0) continue;
    if (i > 0) out[i - 1] = 1;
    if (i + 1 < marked.size()) out[i + 1] = 1;
  }
  return out;
}

std::vector<double> median_filtered(const std::vector<double>& values, int64_t size) {
  return median_filtered(std::vector<std::vector<double>>{values}, size).front();
}

std::vector<std::vector<double>> median_filtered(const std::vector<std::vector<double>>& lists, int64_t size) {
  const auto has_nan = [](const std::vector<double>& list) {
    return std::any_of(list.begin(), list.end(), [](double v) { return std::isnan(v); });
  };
  if (size <= widest_of_numbers && std::none_of(lists.begin(), lists.end(), has_nan))
    return running_medians(lists, size);
  std::vector<std::vector<double>> out;
  for (const std::vector<double>& values : lists) {
    const auto n = static_cast<int64_t>(values.size());
    const auto at = [&](int64_t i) { return values[static_cast<std::size_t>(mirrored_index(i, n))]; };
    std::vector<double>& medians = out.emplace_back();
    SlidingWindow window;
    for (int64_t k = -(size / 2); n > 0 && k <= size / 2; ++k) window.add(at(k));
    for (int64_t i = 0; i < n; ++i) {
      medians.push_back(window.median());
      window.replace(at(i - size / 2), at(i + size / 2 + 1));
    }
  }
  return out;
}

}  // namespace tl::ops
