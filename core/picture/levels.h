// Distribution of an image's values: histogram, percentiles, and the grey window made from them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/picture/image.h"

namespace tl::picture {

// Values shown as black and as white.
struct Levels {
  double low = 0, high = 1;
  friend bool operator==(const Levels&, const Levels&) = default;
};

// Percentage of black, and of white, pixels in the small images next to a form.
inline constexpr double clipped_percent = 0.2;

// The percentiles `percent` and 100 - `percent` of the finite values. Large images are sampled (at least 60 000
// pixels). A constant image gets a window around its value; an empty one 0 to 1.
Levels percentile_levels(const Image& image, double percent);
// Smallest and largest finite value.
Levels full_levels(const Image& image);

// Counts of the values in `bins` equal steps of [range.low, range.high]; NaN and values outside are not counted.
struct Histogram {
  Levels range;
  std::vector<int64_t> counts;
};
Histogram histogram(const Image& image, Levels range, int bins);

}  // namespace tl::picture
