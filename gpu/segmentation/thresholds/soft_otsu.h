// Otsu's thresholds as differentiable numbers, and soft classes between them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

inline constexpr int64_t max_soft_classes = 4;

struct SoftOtsuSpec {
  int64_t classes = 2;    // 2 to max_soft_classes
  double sharpness = 20;  // gamma below, > 0
  CancelToken cancel;
};

struct SoftOtsu {
  at::Tensor thresholds;  // [classes - 1] float64, ascending, in the unit of the values
  double minimum = 0;     // minimum of the values; if it equals `maximum`, there are no classes, and all steps are 0
  double maximum = 0;
};

// One soft step of the values v at a threshold t, with v and t shifted so that the smallest value is 0:
//   0.5 (1 + tanh(gamma (v / t - 1))),
// R. Schoonhoven, "On the optimization of imaging pipelines" (2024), eq. 3.5. If classes differ in their grey value by
// far more than t / gamma it is a mask of voxels brighter than the threshold. `least` and `threshold` are 0-dim.
// Differentiable with respect to all three.
at::Tensor soft_step(const at::Tensor& values, const at::Tensor& least, const at::Tensor& threshold, double sharpness);

// The thresholds of `values` (float32 or float64, any shape, CPU memory). Otsu's threshold lies midway between the
// means of the classes on its two sides; that equation, 2 t = m0(t) + m1(t) (for several thresholds, for the classes on
// both sides of each), is solved with soft classes, starting from Otsu's thresholds of the histogram
// (multi_otsu_thresholds). It is then smooth in the values, and the thresholds are differentiable by the implicit
// function theorem: their derivative takes as long as one evaluation of the equation. Sums are in a fixed order.
// Errors: invalid for other types, fewer different values than classes, values that are not finite, parameters outside
// their range.
Result<SoftOtsu> soft_otsu(const at::Tensor& values, const SoftOtsuSpec& spec);

}  // namespace tl::ops
