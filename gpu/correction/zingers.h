// Removal of zingers: single pixels that stand out from their neighbours in one view.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

enum class OutlierSide { brighter, darker, both };
// relative: the limit is a share of the local median (counts, transmission). absolute: in the unit of the data.
enum class OutlierScale { relative, absolute };

struct ZingersSpec {
  int64_t size = 3;    // side of the square window, odd, 3 to 31
  double limit = 0.2;  // how far from the median of its window a pixel may be
  OutlierSide side = OutlierSide::brighter;
  OutlierScale scale = OutlierScale::relative;
  CancelToken cancel;  // looked at between views
};

struct ZingersRemoved {
  at::Tensor projections;
  int64_t replaced = 0;  // pixels
};

// A pixel of a view that differs from the median of its size x size window (mirrored at the edges, edge pixels
// repeated) by more than the limit becomes that median; all others keep their value bit for bit. [view, row, col],
// float32 or float64. Every result is one of the input values, to which the gradient goes. A NaN is
// never an outlier and counts as the largest value of its window. Errors: invalid for shapes, an even or too large
// window, a limit that is not positive.
Result<ZingersRemoved> remove_zingers(const at::Tensor& projections, const ZingersSpec& spec);

}  // namespace tl::ops
