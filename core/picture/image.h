// Image: a grey image as float32 rows.
#pragma once

#include <cstdint>
#include <vector>

namespace tl::picture {

// Top row first. Immutable once made.
struct Image {
  int64_t rows = 0, cols = 0;
  std::vector<float> pixels;
};

}  // namespace tl::picture
