// Non-local means filter: averages voxels with similar surroundings, in slices or in the volume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/image/line_tile.h"

namespace tl::ops {

struct NonLocalMeansSpec {
  Reach search{2, 2, 2};  // search window for similar voxels
  Reach patch{1, 1, 1};   // patch that is compared
  double strength = 1;    // strength h, in the unit of the volume
  double noise = 0;       // standard deviation of the noise: expected differences of equal patches are subtracted
  CpuVariant variant = best_cpu_variant();
  CancelToken cancel;  // checked between tiles of 16 rows
};

// Mean of the voxels y in the search box around each voxel x of [z, y, x] with the weights
//   exp(-max(0, d^2(x, y) - 2 noise^2) / h^2), d^2 = mean over the patch of (v(x + p) - v(y + p))^2,
// Buades, Coll and Morel, "A non-local algorithm for image denoising", CVPR 2005, with the noise term of their
// "Non-local means denoising", IPOL 1 (2011), and patches of uniform weight; mirrored at the borders with the edge
// voxel repeated. Patch sums are computed for all voxels of some rows at one shift (Darbon et al., ISBI 2008). float32
// or float64. A NaN affects all voxels whose boxes or patches contain it. Errors: invalid for shapes, reaches, a
// strength that is not positive, a negative noise; unavailable for devices without kernels. Not differentiable.
Result<at::Tensor> non_local_means(const at::Tensor& volume, const NonLocalMeansSpec& spec);

}  // namespace tl::ops
