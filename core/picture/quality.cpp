// Scores the image quality of a slice.
#include "core/picture/quality.h"

#include <cmath>

namespace tl::picture {

double negative_share(const Image& image) {
  double negative = 0, all = 0;
  for (const float value : image.pixels) {
    if (!std::isfinite(value)) continue;
    const double magnitude = std::abs(static_cast<double>(value));
    all += magnitude;
    if (value < 0) negative += magnitude;
  }
  return all > 0 ? negative / all : 0;
}

double edge_share(const Image& image) {
  double sum = 0, squares = 0, edges = 0;
  int64_t count = 0, pairs = 0;
  const auto at = [&](int64_t row, int64_t col) {
    return static_cast<double>(image.pixels[static_cast<std::size_t>(row * image.cols + col)]);
  };
  const auto add_pair = [&](double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    edges += (a - b) * (a - b);
    ++pairs;
  };
  for (int64_t row = 0; row < image.rows; ++row)
    for (int64_t col = 0; col < image.cols; ++col) {
      const double value = at(row, col);
      if (!std::isfinite(value)) continue;
      sum += value;
      squares += value * value;
      ++count;
      if (col + 1 < image.cols) add_pair(value, at(row, col + 1));
      if (row + 1 < image.rows) add_pair(value, at(row + 1, col));
    }
  if (count == 0 || pairs == 0) return 0;
  const double mean = sum / static_cast<double>(count);
  const double variance = squares / static_cast<double>(count) - mean * mean;
  return variance > 0 ? edges / static_cast<double>(pairs) / variance : 0;
}

}  // namespace tl::picture
