// Erosion, dilation, opening and closing of masks by balls and boxes.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/image/line_tile.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

enum class StructuringElement {
  ball,  // offsets with |offset| <= radius; in a slice a disc
  box    // offsets of at most the radius along each axis
};

struct MorphologySpec {
  StructuringElement element = StructuringElement::ball;
  double radius = 1;  // in the unit of the voxel size
  VoxelSize voxel;
  CancelToken cancel;
};

// How far the element reaches along each axis, at most 2^31 voxels. The voxel size and the radius must be valid.
Reach morphology_reach(const MorphologySpec& spec);

// Operate on masks (bool) and return masks. Voxels outside the lattice are ignored, as in scikit-image: they neither
// erode nor dilate. Time is independent of the radius: balls are compared with exact distances, boxes are separable. A
// part with morphology_reach() more voxels around it, or up to the borders, gives the same values as the whole; opening
// and closing need twice as many. Errors: invalid for shapes, types, voxel sizes, and a radius that is negative or not
// finite.
Result<at::Tensor> erosion(const at::Tensor& mask, const MorphologySpec& spec);
Result<at::Tensor> dilation(const at::Tensor& mask, const MorphologySpec& spec);
// Erosion, then dilation: parts into which the element does not fit vanish.
Result<at::Tensor> opening(const at::Tensor& mask, const MorphologySpec& spec);
// Dilation, then erosion: gaps into which the element does not fit are closed.
Result<at::Tensor> closing(const at::Tensor& mask, const MorphologySpec& spec);

}  // namespace tl::ops
