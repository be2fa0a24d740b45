// How the values of a picture spread: histogram, percentiles and the window made from them.
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

// Of the pixels of small pictures beside a form, black and white at each end.
inline constexpr double clipped_percent = 0.2;

// The values between which all but `percent` at each end lie; NaN and infinities are left out. Large pictures are
// sampled (at least 60 000 pixels). A constant picture gets a window around its value; an empty one 0 to 1.
Levels percentile_levels(const Image& image, double percent);
// Smallest and largest finite value.
Levels full_levels(const Image& image);

// Counts of the finite values in `bins` equal steps of [range.low, range.high]; values outside are not counted.
struct Histogram {
  Levels range;
  std::vector<int64_t> counts;
};
Histogram histogram(const Image& image, Levels range, int bins);

}  // namespace tl::picture
