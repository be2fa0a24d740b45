// Measures in an image: statistics, profiles and differences. Sums are in double, because regions may be large.
#include "core/picture/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::picture {
namespace {

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

double interpolated(const Image& image, PixelPoint at) {
  const double row = std::floor(at.row), col = std::floor(at.col);
  const double down = at.row - row, right = at.col - col;
  const auto i = static_cast<int64_t>(row), j = static_cast<int64_t>(col);
  // A neighbour of zero weight is skipped: it may lie outside or be NaN.
  const auto part = [&image](int64_t r, int64_t c, double weight) {
    return weight == 0 ? 0.0 : weight * static_cast<double>(value_at(image, r, c));
  };
  return part(i, j, (1 - down) * (1 - right)) + part(i, j + 1, (1 - down) * right) +
         part(i + 1, j, down * (1 - right)) + part(i + 1, j + 1, down * right);
}

}  // namespace

float value_at(const Image& image, int64_t row, int64_t col) {
  if (row < 0 || col < 0 || row >= image.rows || col >= image.cols) return nothing;
  return image.pixels[static_cast<std::size_t>(row * image.cols + col)];
}

Statistics statistics(const Image& image, Range rows, Range cols) {
  rows = rows.clamp({0, image.rows});
  cols = cols.clamp({0, image.cols});
  Statistics s;
  double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  const auto each = [&](auto use) {
    for (int64_t r = rows.begin; r < rows.end; ++r)
      for (int64_t c = cols.begin; c < cols.end; ++c) use(static_cast<double>(value_at(image, r, c)));
  };
  each([&](double v) {
    if (!std::isfinite(v)) {
      ++s.bad;
      return;
    }
    ++s.count;
    sum += v;
    low = std::min(low, v);
    high = std::max(high, v);
  });
  if (s.count == 0) return s;
  s.mean = sum / static_cast<double>(s.count);
  s.min = low;
  s.max = high;
  double squares = 0;  // computed in a second pass with the mean, for accuracy
  each([&](double v) {
    if (std::isfinite(v)) squares += (v - s.mean) * (v - s.mean);
  });
  s.deviation = std::sqrt(squares / static_cast<double>(s.count));
  return s;
}

std::vector<ProfilePoint> profile(const Image& image, PixelPoint from, PixelPoint to) {
  const double length = std::hypot(to.row - from.row, to.col - from.col);
  const auto steps = static_cast<int64_t>(std::ceil(length));
  std::vector<ProfilePoint> out;
  for (int64_t i = 0; i <= steps; ++i) {
    const double t = steps == 0 ? 0 : static_cast<double>(i) / static_cast<double>(steps);
    const PixelPoint at{from.row + t * (to.row - from.row), from.col + t * (to.col - from.col)};
    out.push_back({t * length, interpolated(image, at)});
  }
  return out;
}

Result<Image> difference(const Image& a, const Image& b) {
  if (a.rows != b.rows || a.cols != b.cols)
    return invalid("images of " + std::to_string(a.rows) + " x " + std::to_string(a.cols) + " and " +
                   std::to_string(b.rows) + " x " + std::to_string(b.cols) + " pixels have no difference");
  Image out{a.rows, a.cols, a.pixels};
  std::transform(a.pixels.begin(), a.pixels.end(), b.pixels.begin(), out.pixels.begin(), std::minus<float>());
  return out;
}

}  // namespace tl::picture
