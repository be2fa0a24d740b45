// Views in half precision: half of the memory of float32, for pictures that are looked at.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// The views are `data` (float16, of their shape) times `scale`, a power of two that brings the largest finite value
// between 2^14 and 2^15: nothing overflows. A value is off by at most 2^-11 of itself, or by 2^-39 of the largest where
// that is more; what is no number stays none.
struct HalfViews {
  at::Tensor data;
  double scale = 1;
};

// views: float32, contiguous, in the memory of the processor. Failure{invalid, unavailable} for others. Every
// instruction set gives the same bits, with any number of threads.
HalfViews to_half_views(const at::Tensor& views);

}  // namespace tl::ops
