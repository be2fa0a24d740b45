// Cleaning of masks and labels: small objects are removed, holes are filled.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct RemoveSmallSpec {
  int64_t least_voxels = 64;  // objects with fewer are removed
  Connectivity connectivity = Connectivity::faces;
  CancelToken cancel;
};

// A mask (bool) without components of fewer than `least_voxels` voxels; or labels (uint8, int32, which is also the type
// of the result) without labels of fewer voxels, connected or not, where other labels keep their numbers. Memory for
// labels: one count per different label. Errors: invalid for shapes, types, negative labels, `least_voxels` < 0.
Result<at::Tensor> remove_small(const at::Tensor& voxels, const RemoveSmallSpec& spec);

struct FillHolesSpec {
  int64_t most_voxels = 0;  // only holes with at most this many voxels are filled; 0: all
  CancelToken cancel;
};

// A mask (bool) with its holes filled: components of the background (connected by faces) that do not touch the border
// of the lattice. Borders along z count if there are several slices. Errors: invalid for shapes, types, `most_voxels` <
// 0.
Result<at::Tensor> fill_holes(const at::Tensor& mask, const FillHolesSpec& spec);

}  // namespace tl::ops
