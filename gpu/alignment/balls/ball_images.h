// Finds balls in views: connected pixels above a threshold, and the centres of their absorption.
#pragma once

#include <ATen/core/Tensor.h>

#include "gpu/alignment/balls/ball_fit.h"

namespace tl::ops {

struct BallImages {
  std::vector<BallImage> balls;
  int64_t leaving = 0;      // images that reach the edge of the detector: left out
  int64_t overlapping = 0;  // images whose area or mass is far above those of most: left out
  double threshold = 0;     // that was used
};

// projections [view, row, col], absorption; a ball's pixels exceed `threshold`, or, where that is 0, half of the
// largest value but for 1 in 10000. Centres are weighted with the absorption above that around the ball,
// in its pixels and two more to every side. Images of fewer than four pixels are noise. CPU.
BallImages ball_images(const at::Tensor& projections, double threshold = 0);

}  // namespace tl::ops
