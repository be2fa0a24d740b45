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
  // If above 0: the height of a voxel is increased by this factor times its distance, in voxels, from the marker voxel
  // from which it is reached; basins become more compact (P. Neubert and P. Protzel, ICPR 2014).
  double compactness = 0;
  WatershedLines lines = WatershedLines::none;  // drawn: voxels where basins meet stay 0, unless they are markers
  CancelToken cancel;
};

// Labels (int32) of the voxels of `mask` (bool; undefined: everywhere): markers (int32, 0 is none) grow over neighbours
// in the order of height; the height of a voxel is at least that of the one from which it is reached, and among equal
// heights the voxel reached earlier comes first. 0 outside the mask and where no marker reaches. Undefined markers: the
// local minima of the volume in the mask, numbered as by components(). F. Meyer, "Un algorithme optimal pour la ligne
// de partage des eaux", RFIA 1991; the results, ties included, are those of scikit-image 0.26, and lines too between
// neighbours by faces on heights without plateaus. If lines meet plateaus, or with more neighbours, scikit-image may
// not terminate; here, whether a voxel is on a line is decided when it is first processed. Single-threaded. Errors:
// invalid for shapes, types, NaN, a negative compactness, no marker in the mask, and for lines with compactness.
Result<at::Tensor> watershed(const at::Tensor& volume, const at::Tensor& markers, const at::Tensor& mask,
                             const WatershedSpec& spec);

}  // namespace tl::ops
