// Measurements in an image: statistics of a box, profile along a line, difference of two images.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/picture/image.h"

namespace tl::picture {

// Statistics of the finite pixels of a box; `bad` counts the others. The standard deviation is divided by n, not n -
// 1.
struct Statistics {
  int64_t count = 0, bad = 0;
  double mean = 0, deviation = 0, min = 0, max = 0;
};
Statistics statistics(const Image& image, Range rows, Range cols);

// The value of the pixel, or NaN outside the image.
float value_at(const Image& image, int64_t row, int64_t col);

// A position in pixels: (0, 0) is the centre of the top left pixel.
struct PixelPoint {
  double row = 0, col = 0;
};
struct ProfilePoint {
  double distance = 0;  // [px] from the start
  double value = 0;     // NaN outside the image
};
// Bilinearly interpolated values along a line, at steps of at most one pixel, both ends included.
std::vector<ProfilePoint> profile(const Image& image, PixelPoint from, PixelPoint to);

// a - b, pixel by pixel. Invalid if the sizes differ.
Result<Image> difference(const Image& a, const Image& b);

}  // namespace tl::picture
