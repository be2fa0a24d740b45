// Local thickness: the diameter of the largest ball inside a mask that contains a voxel.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct LocalThicknessSpec {
  VoxelSize voxel;  // may have another unit than voxels, and different edges
  CancelToken cancel;
};

// For every voxel of the mask (bool) the diameter of the largest ball inside the mask that contains it, float32 in the
// unit of the voxel size; 0 outside the mask: T. Hildebrand, P. Rueegsegger, J. Microsc. 185, 67 (1997), eq. 1.
//
// Balls are found on a lattice twice as fine, where a voxel is eight cells (four in a slice): a ball is centred on a
// cell, its radius is the distance to the nearest cell centre outside the mask, and it contains a voxel if it contains
// the centre of one of its cells. A plate of n voxels across an axis is therefore n edges thick, for n even or odd and
// any voxel edges. Round and oblique surfaces are steps of whole voxels, which no ball fills: for a ball of radius r in
// cubic voxels of edge 1 the largest thickness is between 2r - 1.75 and 2r + 1, and some voxels at its surface get
// smaller values. The result is exact for the balls described, the same for any number of threads, and, in cubic
// voxels, for axes in any order. The border of the lattice is not background: objects that it cuts appear thicker.
//
// Memory: bytes_of_local_thickness(); time grows with the surface of the balls. Errors: invalid for shapes, types,
// voxel sizes, and for a mask without background, whose balls would be infinite.
Result<at::Tensor> local_thickness(const at::Tensor& mask, const LocalThicknessSpec& spec);

// Memory for a mask with that many voxels, including the result.
int64_t bytes_of_local_thickness(const Lattice& lattice, const VoxelSize& voxel);

}  // namespace tl::ops
