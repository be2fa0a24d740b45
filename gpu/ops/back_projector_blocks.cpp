// Any geometry: tiles of the volume go through the views group by group, so that the part of the detector that a tile
// sees stays in cache.
#include "gpu/ops/back_projector_blocks.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "core/base/region.h"
#include "gpu/ops/back_projector_block_views.h"
#include "gpu/ops/grain.h"

namespace tl::ops {
namespace {

constexpr int64_t tile_size = 128, tile_slices = 8;  // voxels

struct Tile {
  Range z, y, x;
};

// The tile's sums over a group of views, written by the first group and added by the others.
void run_tile(const BlockScan& scan, CpuVariant variant, const Tile& tile, int64_t first, int64_t views,
              float* volume) {
  const BackProjectTask& task = *scan.task;
  alignas(64) float sums[block_side * block_side];
  for (int64_t k = tile.z.begin; k < tile.z.end; ++k)
    for (int64_t j0 = tile.y.begin; j0 < tile.y.end; j0 += block_side)
      for (int64_t i0 = tile.x.begin; i0 < tile.x.end; i0 += block_side) {
        collect_block(scan, variant, first, views, k, j0, i0, sums);
        const int64_t rows = std::min(block_side, tile.y.end - j0), cols = std::min(block_side, tile.x.end - i0);
        for (int64_t j = 0; j < rows; ++j) {
          float* out = volume + (k * task.ny + j0 + j) * task.nx + i0;
          for (int64_t i = 0; i < cols; ++i) out[i] = sums[j * block_side + i] + (first == 0 ? 0.0f : out[i]);
        }
      }
}

}  // namespace

void back_project_blocks(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel) {
  const ViewArrays maps(task);
  const BlockScan scan{&task, &maps, projections};
  const CpuVariant variant = best_cpu_variant();
  const int64_t tiles_x = (task.nx + tile_size - 1) / tile_size, tiles_y = (task.ny + tile_size - 1) / tile_size;
  const int64_t tiles_z = (task.nz + tile_slices - 1) / tile_slices;
  const int64_t updates = tile_size * tile_size * std::min(tile_slices, task.nz) * task.views;
  at::parallel_for(0, tiles_x * tiles_y * tiles_z, grain(updates / 8), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const int64_t i0 = t % tiles_x * tile_size, j0 = t / tiles_x % tiles_y * tile_size;
      const int64_t k0 = t / tiles_x / tiles_y * tile_slices;
      const Tile tile{{k0, std::min(task.nz, k0 + tile_slices)},
                      {j0, std::min(task.ny, j0 + tile_size)},
                      {i0, std::min(task.nx, i0 + tile_size)}};
      for (int64_t first = 0; first < task.views; first += most_block_views) {
        cancel.check();
        run_tile(scan, variant, tile, first, std::min(most_block_views, task.views - first), volume);
      }
    }
  });
}

}  // namespace tl::ops
