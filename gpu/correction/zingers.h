// Removal of zingers: single pixels of a view that differ strongly from their neighbours.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

enum class OutlierSide { brighter, darker, both };
// relative: the limit is a fraction of the local median (counts, transmission). absolute: in the unit of the data.
enum class OutlierScale { relative, absolute };

struct ZingersSpec {
  int64_t size = 3;    // side of the square window, odd, 3 to 31
  double limit = 0.2;  // largest allowed difference from the median of the window
  OutlierSide side = OutlierSide::brighter;
  OutlierScale scale = OutlierScale::relative;
  CancelToken cancel;  // checked between views
};

struct ZingerRemovalResult {
  at::Tensor projections;
  int64_t replaced = 0;  // pixels
};

// Each pixel of a view that differs from the median of its size x size window (mirrored at the edges, edge pixels
// repeated) by more than the limit is replaced by that median; all others are bit-identical. [view, row, col], float32
// or float64. Every result is one of the input values, which receives the gradient. A NaN is never an outlier and
// counts as the largest value of its window. Errors: invalid for shapes, an even or too large window, a limit that is
// not positive.
Result<ZingerRemovalResult> remove_zingers(const at::Tensor& projections, const ZingersSpec& spec);

}  // namespace tl::ops
