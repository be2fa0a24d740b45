// Local maxima and minima of a volume, and markers of objects from the maxima of their distances.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

enum class Extremum { maximum, minimum };

// A mask (bool) of the connected plateaus of equal value without a higher (lower) neighbour, borders included. A
// constant volume has none. NaN is not an extremum; neither are its neighbours. `cancel` is checked between rows.
// Errors: invalid for shapes and types.
Result<at::Tensor> local_extrema(const at::Tensor& volume, Extremum which, Connectivity connectivity,
                                 const CancelToken& cancel = {});

struct MarkersSpec {
  double separation = 1;  // in the unit of the voxel size: markers closer than this count as one
  VoxelSize voxel;
  Connectivity connectivity = Connectivity::corners;
  CancelToken cancel;
};

// Markers (int32, numbered from 1 in raster order) for the watershed of -distance: the plateaus of local maxima of a
// distance map (or any volume whose values above 0 are objects). Of plateaus whose first voxels are less than
// `separation` apart, the highest stays, of equal ones the first (z, y, x). Errors: invalid for shapes, types, NaN, and
// a separation that is negative or not finite.
Result<at::Tensor> markers_from_maxima(const at::Tensor& distance, const MarkersSpec& spec);

}  // namespace tl::ops
