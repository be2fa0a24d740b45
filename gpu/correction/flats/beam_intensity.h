// Normalization of each view by the empty beam around the object.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

// each_row: one background per detector row. whole_view: one background for all rows of a view, with less noise.
enum class BackgroundRows { each_row, whole_view };

struct BeamIntensitySpec {
  int64_t left = 10, right = 10;  // columns of empty beam at the two edges; one of them may be 0
  BackgroundRows rows = BackgroundRows::each_row;
  StripeModel model = StripeModel::offset;  // offset: background is subtracted (absorption); gain: divided by
};

struct BeamIntensityResult {
  at::Tensor projections;
  int64_t unusable = 0;  // number of lines whose background is not finite, or not positive (gain): unchanged
};

// The background of a line is linear between the means over the left and the right columns (constant if only one side
// is used), and becomes absorption 0 or transmission 1. [view, row, col], float32 or float64, differentiable. Errors:
// invalid for shapes, or columns that do not fit the detector.
Result<BeamIntensityResult> normalise_beam(const at::Tensor& projections, const BeamIntensitySpec& spec);

}  // namespace tl::ops
