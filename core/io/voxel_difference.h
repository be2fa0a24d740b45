// VoxelDifference: how far the voxels of two volumes of equal size are apart.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "core/io/volumes/volume.h"

namespace tl::io {

struct VoxelDifference {
  int64_t voxels = 0, differing = 0;
  double largest = 0;                      // |second - first|; infinite if only one of the two voxels is a number
  std::array<int64_t, 3> largest_at = {};  // [z, y, x]
  double rms = 0;                          // without voxels that are a number in one volume only
  double low = 0, high = 0;                // range of the finite values of the first volume

  [[nodiscard]] double range() const { return high - low; }
};

// Compares slab by slab, in bounded memory. Voxels that are NaN on both sides are equal. Invalid for unequal sizes.
Result<VoxelDifference> compare_voxels(VolumeReader& first, VolumeReader& second, const CancelToken& cancel);

}  // namespace tl::io
