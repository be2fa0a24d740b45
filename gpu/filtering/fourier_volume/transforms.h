// Padded transforms of volumes and views, with the phases of their centres, and their transposes.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "gpu/filtering/fourier_volume/planes.h"

namespace tl::ops {

// [z, y, x] -> half of its Hermitian transform [z, y, x / 2 + 1] about the centre of the volume, padded to the cells:
// sum over the voxels of value * exp(-2 pi i k.x).
at::Tensor grid_of_volume(const at::Tensor& volume, const FourierSizes& sizes, const CancelToken& cancel);
// The transpose: sum over all cells of number * exp(2 pi i k.x) at the voxels of a grid of nz * ny * nx. The grid is
// used up. One axis at a time, so that only the wanted part of the padded volume is ever stored.
at::Tensor volume_of_grid(at::Tensor grid, const FourierSizes& sizes, const VolumeGrid& voxels,
                          const CancelToken& cancel);

// [view, row, col] -> [view, row, half of the columns]: the views' transforms about the pixel onto which the centre of
// the grid projects, times the scale of each view. `planes` belong to the views.
at::Tensor spectra_of_views(const at::Tensor& views, std::span<const FourierPlane> planes, const FourierSizes& sizes,
                            std::span<const double> scales);
// The transpose divided by the number of samples: the inverse transform, cut to the detector.
at::Tensor views_of_spectra(const at::Tensor& spectra, std::span<const FourierPlane> planes, const FourierSizes& sizes,
                            const DetectorShape& detector, std::span<const double> scales);

// 1 / blob_transform at each voxel [z, y, x] of the type, times factor: divides out what the blob does in real space.
at::Tensor blob_correction(const VolumeGrid& voxels, const FourierSizes& sizes, double factor,
                           const at::TensorOptions& options);

}  // namespace tl::ops
