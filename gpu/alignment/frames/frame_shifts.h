// Positions of the frames of a burst, from the shifts between all pairs of them.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/alignment/frames/pair_shifts.h"

namespace tl::ops {

struct FrameShifts {
  std::vector<double> x, y;  // [px] of each frame relative to the reference: columns, and rows downwards
  std::vector<bool> known;   // whether pairs that agree connect the frame with the reference; else its shift is 0
  double sigma_x = 0,
         sigma_y = 0;       // [px] one standard deviation of a frame's shift, from the two halves of coefficients
  int64_t reference = 0;    // the frame whose largest distance to another one is smallest
  int64_t left_out = 0;     // pairs that disagree with the rest
  double significance = 0;  // median of the pairs
  bool at_reach = false;    // a pair that is used ends at the search range
};

// Least squares over all pairs: first with the absolute values of their residuals, which a few wrong pairs do not move,
// then with the squares of those that lie within 3 sigma, until these stay the same. `frames` > 1; pairs as
// pair_shifts() gives them.
FrameShifts shifts_of_pairs(const std::vector<FramePair>& pairs, int64_t frames);

}  // namespace tl::ops
