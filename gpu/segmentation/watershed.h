// Watershed: markers grow in the order of height until they meet.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

enum class WatershedLines { none, drawn };

struct WatershedSpec {
  Connectivity connectivity = Connectivity::faces;
  // Above 0: the height of a voxel is raised by this factor times its distance, in voxels, from the marker voxel it is
  // reached from; basins become more compact (P. Neubert and P. Protzel, ICPR 2014).
  double compactness = 0;
  WatershedLines lines = WatershedLines::none;  // drawn: voxels where basins meet stay 0, unless they are markers
  CancelToken cancel;
};

// Labels (int32) of the voxels of `mask` (bool; undefined: everywhere): markers (int32, 0 is none) grow over neighbours
// in the order of height, where the height of a voxel is at least that of the one it is reached from, and of equal ones
// the earlier reached is first. 0 outside the mask and where no marker reaches. Undefined markers: the local minima of
// the volume in the mask, numbered as by components(). F. Meyer, "Un algorithme optimal pour la ligne de partage des
// eaux", RFIA 1991; the results, ties included, are those of scikit-image 0.26, and lines too between neighbours by
// faces on heights without plateaus. Where lines meet plateaus, and with more neighbours, scikit-image may not come to
// an end; here every voxel is on a line or not when it is first taken. In one thread. Errors: invalid for shapes,
// types, NaN, a negative compactness, no marker in the mask, and for lines with compactness.
Result<at::Tensor> watershed(const at::Tensor& volume, const at::Tensor& markers, const at::Tensor& mask,
                             const WatershedSpec& spec);

}  // namespace tl::ops
