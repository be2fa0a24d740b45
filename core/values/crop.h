// Parts of projections, and joined pixels: data, geometry, learned view vectors, flats and darks together.
#pragma once

#include "core/values/values.h"

namespace tl {

// A part of projections, in indices of `whole`. Tensors are narrowed, not copied. Learned vectors follow the formula of
// ScanGeometry::crop(), so that gradients pass.
Projections crop(const Projections& whole, const ScanRegion& part);

// Learned view vectors [view, 12] of a part of a scan whose detector is `whole`, and of a detector with pixels joined
// (sizes divisible by rows and cols). Undefined stays undefined.
at::Tensor crop_vectors(const at::Tensor& vectors, const ScanRegion& part, const DetectorShape& whole);
at::Tensor bin_vectors(const at::Tensor& vectors, int64_t rows, int64_t cols);

}  // namespace tl
