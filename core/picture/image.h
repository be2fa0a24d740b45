// A picture as rows of numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace tl::picture {

// Rows of a picture, top row first, as float32; never changed once made.
struct Image {
  int64_t rows = 0, cols = 0;
  std::vector<float> pixels;
};

}  // namespace tl::picture
