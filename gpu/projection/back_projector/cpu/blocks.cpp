// Back-projects any geometry and grid by small blocks of voxels: tiles loop over groups of views, so that the pixels
// they need stay in the cache.
#include "gpu/projection/back_projector/cpu/blocks.h"

#include <algorithm>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_parts.h"
#include "gpu/projection/back_projector/cpu/block_views.h"
#include "gpu/projection/back_projector/cpu/strips.h"
#include "gpu/projection/voxel_tiles.h"

namespace tl::ops {
namespace {

// Sums of a tile over a group of views: written by the first group, added by the others.
void run_tile(const BlockScan& scan, CpuVariant variant, const VoxelTile& tile, int64_t first, int64_t views,
              float* volume) {
  alignas(64) float sums[block_side * block_side];
  for (int64_t k = tile.z.begin; k < tile.z.end; ++k)
    for (int64_t j0 = tile.y.begin; j0 < tile.y.end; j0 += block_side)
      for (int64_t i0 = tile.x.begin; i0 < tile.x.end; i0 += block_side) {
        collect_block(scan, variant, first, views, k, j0, i0, sums);
        put_block(*scan.task, tile, k, j0, i0, sums, block_side, block_side, first == 0, volume);
      }
}

}  // namespace

void back_project_blocks(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel) {
  if (back_project_strips(task, projections, volume, cancel)) return;
  const ViewArrays maps(task);
  const BlockScan scan{&task, &maps, projections};
  const CpuVariant variant = best_cpu_variant();
  const VoxelTiles tiles(task);
  parallel_parts(tiles.count(), grain(tiles.updates() / 8), [&] {
    return [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t)
        for (int64_t first = 0; first < task.views; first += max_block_views) {
          cancel.check();
          run_tile(scan, variant, tiles[t], first, std::min(max_block_views, task.views - first), volume);
        }
    };
  });
}

}  // namespace tl::ops
