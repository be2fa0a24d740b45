// Otsu's threshold from a histogram, and percentiles of the values above it.
#include "core/picture/object_values.h"

#include <algorithm>
#include <cmath>

namespace tl::picture {
namespace {

constexpr std::size_t wanted_sample = 1000000;
constexpr int bins = 512;

// A step that shares no factor with the width visits all columns.
std::vector<float> sampled(const Image& image) {
  std::size_t step = std::max<std::size_t>(1, image.pixels.size() / wanted_sample);
  while (step > 1 && static_cast<std::size_t>(image.cols) % step == 0) --step;
  std::vector<float> values;
  values.reserve(image.pixels.size() / step + 1);
  for (std::size_t i = 0; i < image.pixels.size(); i += step)
    if (std::isfinite(image.pixels[i])) values.push_back(image.pixels[i]);
  return values;
}

// The edge between two bins that separates the histogram into the two classes with the largest variance between them.
double otsu_threshold(const Histogram& histogram) {
  double all = 0, moment = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    all += static_cast<double>(histogram.counts[i]);
    moment += static_cast<double>(histogram.counts[i]) * static_cast<double>(i);
  }
  double below = 0, moment_below = 0, best = -1;
  // Thresholds in empty bins between two classes give equal variances: their middle is used.
  std::size_t first = 0, last = 0;
  for (std::size_t i = 0; i + 1 < histogram.counts.size(); ++i) {
    below += static_cast<double>(histogram.counts[i]);
    moment_below += static_cast<double>(histogram.counts[i]) * static_cast<double>(i);
    if (below == 0 || below == all) continue;
    const double apart = moment_below / below - (moment - moment_below) / (all - below);
    const double variance = below * (all - below) * apart * apart;
    if (variance > best * (1 + 1e-12)) {
      best = variance;
      first = i;
    }
    if (variance >= best * (1 - 1e-12)) last = i;
  }
  const double middle = 0.5 * static_cast<double>(first + last) + 1;
  const double width = (histogram.range.high - histogram.range.low) / static_cast<double>(histogram.counts.size());
  return histogram.range.low + middle * width;
}

}  // namespace

double ObjectValues::at(double percent) const {
  const double rank = std::clamp(percent, 0.0, 100.0);
  const auto below = std::min<std::size_t>(static_cast<std::size_t>(rank), percentiles.size() - 2);
  const double part = rank - static_cast<double>(below);
  return (1 - part) * percentiles[below] + part * percentiles[below + 1];
}

ObjectValues object_values(const Image& image) {
  ObjectValues out;
  out.range = full_levels(image);
  constexpr double few = 0.05;  // percentage of outliers: hot voxels, metal
  out.threshold = otsu_threshold(histogram(image, percentile_levels(image, few), bins));
  std::vector<float> object = sampled(image);
  const std::size_t all = object.size();
  std::erase_if(object, [&](float v) { return v < out.threshold; });
  if (all > 0) out.share = static_cast<double>(object.size()) / static_cast<double>(all);
  std::sort(object.begin(), object.end());
  for (std::size_t p = 0; p < out.percentiles.size(); ++p) {
    const double share = static_cast<double>(p) / static_cast<double>(out.percentiles.size() - 1);
    out.percentiles[p] = object.empty()
                             ? out.threshold + share * (out.range.high - out.threshold)
                             : object[static_cast<std::size_t>(share * static_cast<double>(object.size() - 1))];
  }
  out.percentiles.front() = out.threshold;
  return out;
}

}  // namespace tl::picture
