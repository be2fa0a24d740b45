// Arithmetic of the flat-field correction per pixel, shared by the processor and CUDA.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Multiplies by 1 / (flat - dark), the flat interpolated between two groups. One call per pixel of one view.
template <class T>
struct FlatGain {
  const T* x;       // dark already subtracted
  const T* before;  // flat - dark of the two groups
  const T* after;
  T share;  // of `after`, 0 ... 1
  T* out;

  TL_HD void operator()(int64_t i) const { out[i] = x[i] / (before[i] + share * (after[i] - before[i])); }
};

// A pixel that is filled from its row: index of the pixel, of its usable neighbours, and the share of the right one.
struct FilledPixel {
  int64_t pixel, left, right;
  double share;
};

}  // namespace tl::ops
