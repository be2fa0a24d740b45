// Hysteresis threshold: weak voxels that are connected to strong ones.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct HysteresisSpec {
  double low = 0, high = 0;  // in the unit of the volume
  Connectivity connectivity = Connectivity::faces;
  CancelToken cancel;
};

// A mask (bool) of the voxels v > low (float32, float64) that are connected, through such voxels, to one with v > high.
// NaN is in no mask. J. Canny, IEEE Trans. Pattern Anal. Mach. Intell. 8, 679 (1986). Errors: invalid for shapes,
// types, and unless low <= high. Beyond memory: SlabComponents with v > low, marked v > high.
Result<at::Tensor> hysteresis(const at::Tensor& volume, const HysteresisSpec& spec);

}  // namespace tl::ops
