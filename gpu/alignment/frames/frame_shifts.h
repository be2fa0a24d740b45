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
  double spread = 0;        // [px] of the pairs about the positions: 1.48 times the median of all residuals
  double significance = 0;  // median of the pairs
  bool at_reach = false;    // a pair that is used ends at the search range
};

// Whether the frames show their shifts: their correlations are no chance, or at least four frames agree with each other
// to a tenth of the search range, over which chance would scatter.
bool frames_agree(const FrameShifts& shifts, double reach);

// Least squares over all pairs: first with the absolute values of their residuals, which a few wrong pairs do not move,
// then with the squares of those that lie within 3 sigma, until these stay the same. `frames` > 1; pairs as
// pair_shifts() gives them.
FrameShifts shifts_of_pairs(const std::vector<FramePair>& pairs, int64_t frames);

// Of the pairs of pair_shifts(), and then once more of the part that all frames have in common, cut to the pixel, where
// that is at least half of the rows and columns: edges that stay while the image moves pull shifts towards 0.
Result<FrameShifts> frame_shifts(const FramePairsSpec& spec);

}  // namespace tl::ops
