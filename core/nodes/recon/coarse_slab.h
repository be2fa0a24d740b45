// coarse_slab(): fewer and larger pixels and voxels, for a first image of an iterative reconstruction.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/geometry.h"
#include "core/base/grid.h"

namespace tl {

struct CoarseSlab {
  ScanGeometry geometry;
  VolumeGrid grid;
  at::Tensor data;  // [view, row, col]
};

// By which factor to average, so that the voxels are as large as the wanted ones, and all iterations take seconds
// rather than minutes. `grid` is what would be solved from all pixels.
int64_t coarse_factor(const ScanGeometry& geometry, const VolumeGrid& grid, const VolumeGrid& wanted,
                      int64_t iterations);

// Pixels of data [view, row, col] and voxels of the grid, averaged; a single slice stays as thin as it is where slices
// are solved apart, each from its row of the detector.
CoarseSlab coarse_slab(const ScanGeometry& geometry, const at::Tensor& data, const VolumeGrid& grid, int64_t factor,
                       bool slices_apart);

}  // namespace tl
