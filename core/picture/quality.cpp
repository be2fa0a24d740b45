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

}  // namespace tl::picture
