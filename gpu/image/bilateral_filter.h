// Bilateral filter: edge-preserving smoothing of slices or of the volume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/image/line_tile.h"

namespace tl::ops {

struct BilateralSpec {
  Reach reach{2, 2, 2};
  double sigma_distance = 1;  // [voxels]
  double sigma_value = 1;     // in the unit of the volume
  CpuVariant variant = best_cpu_variant();
  CancelToken cancel;  // checked between tiles of 16 rows
};

// Mean of the voxels y in a box around each voxel x of [z, y, x] with the weights
//   exp(-|x - y|^2 / (2 sigma_distance^2)) exp(-(v(x) - v(y))^2 / (2 sigma_value^2)),
// Tomasi and Manduchi, "Bilateral filtering for gray and color images", ICCV 1998, with Gaussians; mirrored at the
// borders with the edge voxel repeated. float32 or float64. A NaN affects all boxes that contain it. Errors: invalid
// for shapes, a negative reach, sigmas that are not positive; unavailable for devices without kernels. Not
// differentiable.
Result<at::Tensor> bilateral_filter(const at::Tensor& volume, const BilateralSpec& spec);

}  // namespace tl::ops
