// Views in half precision, with half the memory of float32, for interactive display.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// The views are `data` (float16, same shape) times `scale`, a power of two that brings the largest finite value between
// 2^14 and 2^15, so that nothing overflows. The error of a value is at most 2^-11 of it, or 2^-39 of the largest where
// that is more. NaN stays NaN.
struct HalfViews {
  at::Tensor data;
  double scale = 1;
};

// views: float32, contiguous, in CPU memory; others throw Failure{invalid, unavailable}. The result is bit-identical
// for every instruction set and any number of threads.
HalfViews to_half_views(const at::Tensor& views);

}  // namespace tl::ops
