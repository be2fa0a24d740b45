// Central slices through the Fourier transform of a volume: a projector of parallel beams, and its exact transpose.
#pragma once

#include "core/base/error.h"
#include "gpu/filtering/fourier_volume/planes.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// apply: [z, y, x] -> [view, row, col], line integrals in mm times the unit of the volume (Fourier slice theorem): the
// volume is divided by the transform of the blob, padded and transformed; each sample of a view's transform is the sum
// of the cells around it, weighted with the blob (blob.h). Voxels are band-limited, so that edges ring; what lies
// outside of the grid or of the detector is 0. The error is 1 to 2 % of the
// largest value: the blob leaves 0.7 % of each replica of the volume in the middle, and more towards its edges, which
// padding moves outwards. adjoint: the exact transpose,
// which inserts the views' transforms. The gradient with respect to the view vectors is that of the interpolated
// transform. The same bits for any number of threads. CPU; float32 and float64. Memory: 16 bytes for half of the cells
// of the padded grid in float32, and 64 MiB for views. Errors: those of fourier_sizes().
Result<OperatorPtr> make_fourier_projector(FourierSampling sampling);

}  // namespace tl::ops
