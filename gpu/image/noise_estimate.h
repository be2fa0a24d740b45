// Noise level of a slice, from differences that cancel a smooth object.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// Standard deviation of white noise in [y, x] (float32 or float64): 1.4826 times the median magnitude of the mixed
// differences v(y, x) - v(y + 1, x) - v(y, x + 1) + v(y + 1, x + 1), halved. Planes cancel, edges affect the median
// little. Values that are not finite are ignored. 0 for fewer than 2 x 2 values. Reconstructed noise is not white:
// correlations caused by the ramp filter make the estimate larger by some ten per cent.
double noise_estimate(const at::Tensor& slice);

}  // namespace tl::ops
