// Dead, hot and saturated detector pixels: detected in flats, darks and views, and filled from their neighbours.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct BadPixelLimits {
  // A pixel is dead if its mean flat - dark differs from the median of its 5 x 5 neighbourhood by more than this
  // fraction of that median.
  double response = 0.5;
  // A pixel is hot if its mean dark exceeds the median of its 5 x 5 neighbourhood by more than this fraction of the
  // detector's median flat - dark (without flats: of the median dark).
  double hot = 0.1;
};

// uint8 [row, col], 1 for an unusable detector pixel. flats and darks: [n, row, col]; if one is undefined, its test is
// skipped. A pixel whose mean is not finite is unusable. Errors: invalid if the shapes differ.
Result<at::Tensor> find_bad_pixels(const at::Tensor& flats, const at::Tensor& darks, const BadPixelLimits& limits);

struct FillPixelsSpec {
  at::Tensor mask;                   // uint8 [row, col], 1 = unusable in every view; undefined = none
  std::optional<double> saturation;  // values of at least this are unusable in their view
  CancelToken cancel;                // checked between views
};

struct FillPixelsResult {
  at::Tensor projections;
  int64_t masked = 0;     // detector pixels of the mask
  int64_t saturated = 0;  // values at or above the saturation, outside the mask
  int64_t missing = 0;    // number of non-finite values outside the mask
  int64_t unfilled = 0;   // number of values without any usable pixel in their row or column: unchanged
};

// Unusable values become the mean of the nearest usable pixels to the left, right, above and below in the same view,
// weighted by the inverse of their distance: exact if the view is linear along a row or column with neighbours on both
// sides. [view, row, col], float32 or float64 on the CPU; linear in the usable values, differentiable. Errors: invalid
// for shapes.
Result<FillPixelsResult> fill_pixels(const at::Tensor& projections, const FillPixelsSpec& spec);

}  // namespace tl::ops
