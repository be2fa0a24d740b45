// Converts small images to 8-bit grey with automatic contrast.
#include <algorithm>
#include <cmath>

#include "core/live/engine.h"

namespace tl::live {
namespace {

constexpr double clipped = 0.005;  // fraction of the pixels clipped at each end

}  // namespace

std::vector<uint8_t> auto_contrast_8bit(const Image& image) {
  std::vector<float> sorted;
  std::copy_if(image.pixels.begin(), image.pixels.end(), std::back_inserter(sorted),
               [](float v) { return std::isfinite(v); });
  std::vector<uint8_t> grey(image.pixels.size(), 0);
  if (sorted.empty()) return grey;
  const auto at_share = [&](double share) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), at, sorted.end());
    return static_cast<double>(*at);
  };
  const double low = at_share(clipped), high = at_share(1 - clipped);
  const double scale = high > low ? 255 / (high - low) : 0;
  for (std::size_t i = 0; i < grey.size(); ++i) {
    const double v = static_cast<double>(image.pixels[i]);
    if (std::isfinite(v)) grey[i] = static_cast<uint8_t>(std::clamp(scale * (v - low), 0.0, 255.0));
  }
  return grey;
}

}  // namespace tl::live
