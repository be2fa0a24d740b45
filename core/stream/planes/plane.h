// Plane: an image of a reconstructed volume that other programs are sent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tl::stream {

struct Plane {
  std::string name;    // which plane: "axial"
  int64_t id = 0;      // equal for the same plane in all windows
  int64_t window = 0;  // the index of its window
  int64_t rows = 0, cols = 0;
  std::vector<float> values;  // [row, col]
};

}  // namespace tl::stream
