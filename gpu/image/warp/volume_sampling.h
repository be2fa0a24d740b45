// Trilinear sampling of a volume at any points: the operator of warping, with transpose and gradient.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// The linear map [z, y, x] -> [Z, Y, X] that samples a volume at fractional indices: `positions`, float64 [3, Z, Y, X],
// hold z, y and x. Values stay constant from the centres of the outermost voxels to their edges, and are 0 beyond. CPU.
// The adjoint has the same voxels and weights. Deterministic for any number of threads.
struct VolumeSamplingSpec {
  std::vector<int64_t> shape;  // of the volume
  at::Tensor positions;
  CancelToken cancel;  // checked between slices
};
OperatorPtr make_volume_sampling(const VolumeSamplingSpec& spec);

// Samples `volume` [z, y, x], float32 or float64; differentiable with respect to the volume and to the positions. The
// slope of the interpolation is that between neighbouring voxels, and 0 outside their centres.
at::Tensor sampled(const at::Tensor& volume, const at::Tensor& positions, const CancelToken& cancel = {});

// bool [Z, Y, X]: which positions lie in the volume.
at::Tensor positions_inside(const std::vector<int64_t>& shape, const at::Tensor& positions);

}  // namespace tl::ops
