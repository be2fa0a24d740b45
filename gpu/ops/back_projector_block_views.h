// Inner loop of the block-wise back-projection: one block of 4 x 4 voxels collects a group of views.
#pragma once

#include <cstdint>

#include "gpu/ops/back_projector_views.h"
#include "gpu/ops/cpu_variant.h"

namespace tl::ops {

inline constexpr int64_t block_side = 4;
inline constexpr int64_t most_block_views = 16;

// What a block needs to know of the scan; `projections` is that of all views.
struct BlockScan {
  const BackProjectTask* task;
  const ViewArrays* maps;
  const float* projections;
};

// Sums over views first ... first + views - 1 (at most most_block_views) of the voxels (k, j0 + n / 4, i0 + n % 4),
// n = 0 ... 15. Voxels beyond the grid are computed like the others.
void collect_block(const BlockScan& scan, CpuVariant variant, int64_t first, int64_t views, int64_t k, int64_t j0,
                   int64_t i0, float* sums);

}  // namespace tl::ops
