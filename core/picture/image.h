// Image: a grey image as float32 rows.
#pragma once

#include <cstdint>
#include <vector>

namespace tl::picture {

// A grey image, top row first. Immutable after construction.
struct Image {
  int64_t rows = 0, cols = 0;
  std::vector<float> pixels;
};

}  // namespace tl::picture
