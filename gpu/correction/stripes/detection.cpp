// Detects outstanding columns by Vo's method: sorts the numbers of all columns and fits a line to them.
#include "gpu/correction/stripes/detection.h"

#include <algorithm>
#include <cmath>

#include "gpu/correction/sinograms.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

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
  const auto n = static_cast<int64_t>(values.size());
  const auto at = [&](int64_t i) { return values[static_cast<std::size_t>(mirrored_index(i, n))]; };
  std::vector<double> out, window;
  if (n == 0) return out;
  for (int64_t k = -(size / 2); k <= size / 2; ++k) window.push_back(at(k));
  std::sort(window.begin(), window.end(), nan_last);
  for (int64_t i = 0; i < n; ++i) {
    out.push_back(window[static_cast<std::size_t>(size / 2)]);
    // The window stays sorted: the value that comes moves to the place of the one that goes.
    const double goes = at(i - size / 2), comes = at(i + size / 2 + 1);
    auto gap = std::lower_bound(window.begin(), window.end(), goes, nan_last);
    const auto to = std::lower_bound(window.begin(), window.end(), comes, nan_last);
    if (to > gap) {
      gap = std::move(gap + 1, to, gap);
    } else {
      std::move_backward(to, gap, gap + 1);
      gap = to;
    }
    *gap = comes;
  }
  return out;
}

}  // namespace tl::ops
