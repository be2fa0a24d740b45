// Stripe removal by sorting (Vo): in columns sorted by value, stripes become steps, which a median removes.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct StripeSortingSpec {
  int64_t size = 5;    // [columns] window of the median, odd
  CancelToken cancel;  // checked between rows
};

// Algorithm 3 of Vo, Atwood and Drakopoulos, "Superior techniques for eliminating ring artifacts in X-ray
// micro-tomography", Opt. Express 26, 28396 (2018), for each detector row of [view, row, col]: every column of the
// sinogram is sorted by value, each rank is smoothed by a median over `size` neighbouring columns (mirrored at the
// edges, the edge pixel repeated: c b a | a b c d), and the values return to their original positions. float32 or
// float64, on CPU or GPU. Every result is one of the input values, so that a constant sinogram is returned
// bit-identical, and the gradient passes to the chosen value. NaN sorts last. Needs all views of a row at once. Errors:
// invalid for shapes, an even or non-positive size; unavailable for other devices.
Result<at::Tensor> remove_stripes_by_sorting(const at::Tensor& projections, const StripeSortingSpec& spec);

// A suitable size for a detector: a hundredth of its columns, odd, at least 5; 21 above 2000 columns.
int64_t default_stripe_size(int64_t cols);

}  // namespace tl::ops
