// Computes grey levels of an image by percentiles of a sample, and histograms in one pass.
#include "core/picture/levels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::picture {
namespace {

constexpr int64_t sample_size = 65536;

// The sampling step; it does not divide the width, because it would then sample only a few columns.
int64_t sample_step(const Image& image) {
  const auto count = static_cast<int64_t>(image.pixels.size());
  int64_t step = std::max<int64_t>(1, count / sample_size);
  while (step > 1 && image.cols % step == 0) --step;
  return step;
}

// Replaces an empty window by one around the constant value, as wide as the value, or 1 for zero.
Levels opened(Levels levels) {
  if (levels.high > levels.low) return levels;
  const double half = levels.low == 0 ? 0.5 : 0.5 * std::abs(levels.low);
  return {levels.low - half, levels.low + half};
}

}  // namespace

Levels percentile_levels(const Image& image, double percent) {
  std::vector<float> values;
  const int64_t step = sample_step(image);
  values.reserve(static_cast<std::size_t>(static_cast<int64_t>(image.pixels.size()) / step + 1));
  for (std::size_t i = 0; i < image.pixels.size(); i += static_cast<std::size_t>(step))
    if (std::isfinite(image.pixels[i])) values.push_back(image.pixels[i]);
  if (values.empty()) return {};
  const auto at = [&values](double fraction) {
    const auto index = static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return static_cast<double>(values[static_cast<std::size_t>(index)]);
  };
  const double low = at(percent / 100);
  return opened({low, at(1 - percent / 100)});
}

Levels full_levels(const Image& image) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float v : image.pixels) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  return low > high ? Levels{} : opened({low, high});
}

Histogram histogram(const Image& image, Levels range, int bins) {
  Histogram out{range, std::vector<int64_t>(static_cast<std::size_t>(bins))};
  const double scale = bins / (range.high - range.low);
  for (const float v : image.pixels) {
    if (!(v >= range.low && v <= range.high)) continue;
    const auto bin = static_cast<int>((v - range.low) * scale);
    ++out.counts[static_cast<std::size_t>(std::min(bin, bins - 1))];
  }
  return out;
}

}  // namespace tl::picture
