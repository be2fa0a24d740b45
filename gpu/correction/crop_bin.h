// Cropping of projections, and binning of pixels or views by averaging.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/error.h"
#include "core/base/region.h"

namespace tl::ops {

struct BinFactors {
  int64_t views = 1, rows = 1, cols = 1;
};

// A copy of a region of [view, row, col], in indices of this tensor. Differentiable. Errors: invalid for a region that
// is empty or not inside.
Result<at::Tensor> crop(const at::Tensor& projections, const ScanRegion& region);

// Mean over blocks of views x rows x cols; a last, incomplete block is dropped, as in ScanGeometry::binned(). The mean
// of transmission or counts is what a coarser detector would have measured, so bin before the logarithm.
// Differentiable. Errors: invalid for a factor below 1 or larger than the scan.
Result<at::Tensor> bin(const at::Tensor& projections, const BinFactors& factors);

}  // namespace tl::ops
