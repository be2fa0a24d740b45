// What people measure in a picture: statistics of a box, values along a line, the difference of two.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/picture/image.h"

namespace tl::picture {

// Of the finite pixels of a box; `bad` counts the others. The deviation is that of the population (divided by n).
struct Statistics {
  int64_t count = 0, bad = 0;
  double mean = 0, deviation = 0, min = 0, max = 0;
};
Statistics statistics(const Image& image, Range rows, Range cols);

// The value of the pixel, or NaN outside the picture.
float value_at(const Image& image, int64_t row, int64_t col);

// A place in pixels: (0, 0) is the centre of the top left one.
struct PixelPoint {
  double row = 0, col = 0;
};
struct ProfilePoint {
  double distance = 0;  // [px] from the start
  double value = 0;     // NaN outside the picture
};
// Values along a line, linearly interpolated, at steps of at most one pixel, both ends included.
std::vector<ProfilePoint> profile(const Image& image, PixelPoint from, PixelPoint to);

// a - b, pixel by pixel. Other sizes: invalid.
Result<Image> difference(const Image& a, const Image& b);

}  // namespace tl::picture
