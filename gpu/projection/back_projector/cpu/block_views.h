// Inner loop of the block-wise back-projection: sums a group of views for one block of 4 x 4 voxels.
#pragma once

#include <cstdint>

#include "gpu/device/cpu_variant.h"
#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {

inline constexpr int64_t block_side = 4;
inline constexpr int64_t max_block_views = 16;

// The scan as needed for a block; `projections` contains all views.
struct BlockScan {
  const BackProjectTask* task;
  const ViewArrays* maps;
  const float* projections;
};

// Sums of views first ... first + views - 1 (at most max_block_views) for the voxels (k, j0 + n / 4, i0 + n % 4), n =
// 0 ... 15. Voxels beyond the grid are computed as well.
void collect_block(const BlockScan& scan, CpuVariant variant, int64_t first, int64_t views, int64_t k, int64_t j0,
                   int64_t i0, float* sums);

}  // namespace tl::ops
