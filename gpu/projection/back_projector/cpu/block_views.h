// Inner loop of the block-wise back-projection: sums a group of views for one block of 4 x 4 voxels.
#pragma once

#include <cstdint>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/half.h"
#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {

inline constexpr int64_t block_side = 4;
inline constexpr int64_t most_block_views = 16;

// The scan as needed by a block; `projections` holds all views, in float32 or half precision.
template <class Stored>
struct BlockScan {
  const BackProjectTask* task;
  const ViewArrays* maps;
  const Stored* projections;
};

// Contribution of a view to a voxel, by definition: the bilinear value at its detector position times the distance
// weight.
template <class Stored>
float value_at(const BlockScan<Stored>& scan, int64_t view, int64_t k, int64_t j, int64_t i) {
  const BackProjectTask& task = *scan.task;
  const Landing at =
      land(task, task.maps[view], static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
  if (!at.inside) return 0.0f;
  const Stored* data = scan.projections + view * task.rows * task.cols;
  const Taps<float> t = taps<float>(task, at);
  return t.weight[0] * to_float(data[t.index[0]]) + t.weight[1] * to_float(data[t.index[1]]) +
         t.weight[2] * to_float(data[t.index[2]]) + t.weight[3] * to_float(data[t.index[3]]);
}

// Sums of views first ... first + views - 1 (at most most_block_views) for the voxels (k, j0 + n / 4, i0 + n % 4), n =
// 0 ... 15. Voxels beyond the grid are computed as well.
template <class Stored>
void collect_block(const BlockScan<Stored>& scan, CpuVariant variant, int64_t first, int64_t views, int64_t k,
                   int64_t j0, int64_t i0, float* sums);

}  // namespace tl::ops
