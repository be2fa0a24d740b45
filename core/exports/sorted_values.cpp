// Sorts values once, and answers questions about them by binary searches.
#include "core/exports/sorted_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/io/output/samples.h"

namespace tl::exports {

double Clipped::share() const {
  return static_cast<double>(below + above + not_numbers) / static_cast<double>(std::max<int64_t>(values, 1));
}

SortedValues::SortedValues(const picture::Image& image) {
  values_.reserve(image.pixels.size());
  for (const float v : image.pixels)
    if (std::isnan(v)) {
      ++not_numbers_;
    } else {
      values_.push_back(v);
    }
  std::sort(values_.begin(), values_.end());
  constexpr float largest = std::numeric_limits<float>::max();
  const auto first = std::lower_bound(values_.begin(), values_.end(), -largest);
  first_finite_ = static_cast<std::size_t>(first - values_.begin());
  end_finite_ = static_cast<std::size_t>(std::upper_bound(first, values_.end(), largest) - values_.begin());
}

picture::Levels SortedValues::percentiles(double below, double above) const {
  if (first_finite_ == end_finite_) return {0, 1};
  const auto at = [this](double percent) {
    const double last = static_cast<double>(end_finite_ - first_finite_ - 1);
    const double index = std::clamp(percent / 100, 0.0, 1.0) * last;
    return static_cast<double>(values_[first_finite_ + static_cast<std::size_t>(std::lround(index))]);
  };
  const picture::Levels range{at(below), at(above)};
  if (range.low < range.high) return range;
  const double half = range.low == 0 ? 0.5 : 0.5 * std::abs(range.low);
  return {range.low - half, range.low + half};
}

double grey_step(const std::string& type, picture::Levels range) {
  const auto sample = io::sample_type_named(type);
  if (!sample || *sample == io::SampleType::float32) return 0;
  return io::SampleScale{*sample, range.low, range.high}.step();
}

Clipped SortedValues::clipped(const std::string& type, picture::Levels range) const {
  Clipped found;
  found.values = count();
  const double step = grey_step(type, range);
  if (!(step > 0)) return found;
  const double low = range.low - 0.5 * step, high = range.high + 0.5 * step;
  const auto is_below = [](float v, double limit) { return static_cast<double>(v) < limit; };
  const auto is_above = [](double limit, float v) { return limit < static_cast<double>(v); };
  found.below = std::lower_bound(values_.begin(), values_.end(), low, is_below) - values_.begin();
  found.above = values_.end() - std::upper_bound(values_.begin(), values_.end(), high, is_above);
  found.not_numbers = not_numbers_;
  return found;
}

picture::Histogram SortedValues::histogram(picture::Levels range, int bins) const {
  picture::Histogram out{range, std::vector<int64_t>(static_cast<std::size_t>(bins))};
  const double width = (range.high - range.low) / bins;
  auto from = std::lower_bound(values_.begin(), values_.end(), range.low);
  for (int i = 0; i < bins; ++i) {
    // The last bin includes its upper end.
    const double edge = i + 1 == bins ? range.high : range.low + width * (i + 1);
    const auto to =
        i + 1 == bins ? std::upper_bound(from, values_.end(), edge) : std::lower_bound(from, values_.end(), edge);
    out.counts[static_cast<std::size_t>(i)] = to - from;
    from = to;
  }
  return out;
}

picture::Image binned(const picture::Image& stack, int64_t slices, int64_t factor) {
  if (factor <= 1 || stack.rows == 0 || stack.cols == 0) return stack;
  const int64_t rows = stack.rows / slices;
  const int64_t fz = std::min(factor, slices), fy = std::min(factor, rows), fx = std::min(factor, stack.cols);
  const int64_t nz = slices / fz, ny = rows / fy, nx = stack.cols / fx;
  const int64_t dropped = rows - ny * fy;  // rows of largest index are lost by binning; they come first in the image
  picture::Image out{nz * ny, nx, std::vector<float>(static_cast<std::size_t>(nz * ny * nx))};
  const double share = 1.0 / static_cast<double>(fz * fy * fx);
  for (int64_t k = 0; k < nz; ++k)
    for (int64_t j = 0; j < ny; ++j)
      for (int64_t i = 0; i < nx; ++i) {
        double sum = 0;
        for (int64_t z = 0; z < fz; ++z)
          for (int64_t y = 0; y < fy; ++y) {
            const int64_t row = (k * fz + z) * rows + dropped + j * fy + y;
            const float* const from = stack.pixels.data() + row * stack.cols + i * fx;
            for (int64_t x = 0; x < fx; ++x) sum += static_cast<double>(from[x]);
          }
        out.pixels[static_cast<std::size_t>((k * ny + j) * nx + i)] = static_cast<float>(sum * share);
      }
  return out;
}

}  // namespace tl::exports
