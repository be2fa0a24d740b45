// Grey view: a frame as a small grey image.
#pragma once

#include <cstdint>
#include <vector>

#include "core/stream/frames/frame.h"

namespace tl::stream {

struct GreyView {
  int64_t rows = 0, cols = 0;
  std::vector<uint8_t> grey;  // [row, col], row 0 = top row of the detector
  double low = 0, high = 0;   // the counts of black and white
};

// Every n-th pixel of every n-th row, so that neither side exceeds `max_side`. Black and white are the 1st and 99th
// percentile of the sampled pixels. Non-finite pixels are black.
GreyView grey_view(const Frame& frame, int64_t max_side);

}  // namespace tl::stream
