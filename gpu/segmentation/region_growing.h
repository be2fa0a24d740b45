// Region growing: from seeds over connected voxels of similar value.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct RegionGrowingSpec {
  double tolerance = 0;  // in the unit of the volume
  Connectivity connectivity = Connectivity::faces;
  CancelToken cancel;
};

// Labels (int32, 0 where no region grew). Seeds: int32, 0 for undecided voxels, numbers above 0 for regions, below 0
// for voxels that no region may enter. A region grows over voxels within `tolerance` of the mean of its seeds, all
// regions by one voxel at a time: a voxel belongs to the region with the fewest steps; among several, to the one whose
// seed comes first (z, y, x). Seeds keep their label, whatever their value. NaN are not entered. R. Adams and L.
// Bischof, IEEE Trans. Pattern Anal. Mach. Intell. 16, 641 (1994), with fixed means. Errors: invalid for shapes, types,
// no seeds, seeds that are all NaN, a negative tolerance.
Result<at::Tensor> region_growing(const at::Tensor& volume, const at::Tensor& seeds, const RegionGrowingSpec& spec);

}  // namespace tl::ops
