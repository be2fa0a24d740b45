// Cropping of projections (data, geometry, learned view vectors, flats and darks together) and binning of view vectors.
#pragma once

#include "core/values/values.h"

namespace tl {

// Crops projections to `part`, in indices of `whole`. Tensors are narrowed, not copied. Learned vectors follow the
// formula of ScanGeometry::crop(), so gradients pass.
Projections crop(const Projections& whole, const ScanRegion& part);
// The same with contiguous views.
Projections contiguous_part(const Projections& whole, const ScanRegion& part);

// View vectors [view, 12] of a part of a scan with the detector `whole`, binned by rows x cols (which must divide the
// size of the part). Undefined vectors stay undefined.
at::Tensor crop_vectors(const at::Tensor& vectors, const ScanRegion& part, const DetectorShape& whole);
at::Tensor bin_vectors(const at::Tensor& vectors, int64_t rows, int64_t cols);

}  // namespace tl
