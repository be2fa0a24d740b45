// Divides a volume into tiles whose detector pixels stay in the cache while they loop over the views.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/region.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

struct VoxelTile {
  Range z, y, x;
};

class VoxelTiles {
 public:
  static constexpr int64_t side = 128, depth = 8;  // at most

  explicit VoxelTiles(const BackProjectTask& task) : task_(&task), x_(side_of(task.nx)), y_(side_of(task.ny)) {}

  [[nodiscard]] int64_t count() const { return across() * down() * tiles(task_->nz, depth); }
  [[nodiscard]] int64_t updates() const { return x_ * y_ * std::min(depth, task_->nz) * task_->views; }  // of one
  [[nodiscard]] VoxelTile operator[](int64_t t) const {
    const int64_t i0 = t % across() * x_, j0 = t / across() % down() * y_, k0 = t / across() / down() * depth;
    return {
        {k0, std::min(task_->nz, k0 + depth)}, {j0, std::min(task_->ny, j0 + y_)}, {i0, std::min(task_->nx, i0 + x_)}};
  }

 private:
  static int64_t tiles(int64_t n, int64_t size) { return (n + size - 1) / size; }
  // Tiles with nearly equal sides, so that no thread gets a narrow remainder, in multiples of strips of 16.
  static int64_t side_of(int64_t n) {
    constexpr int64_t strip = 16;
    return std::max<int64_t>(tiles(tiles(n, tiles(n, side)), strip), 1) * strip;
  }
  [[nodiscard]] int64_t across() const { return tiles(task_->nx, x_); }
  [[nodiscard]] int64_t down() const { return tiles(task_->ny, y_); }

  const BackProjectTask* task_;
  int64_t x_, y_;
};

// Adds a [height, width] block of sums at (k, j0, i0) to the volume, clipped to the tile; overwrites if `is_first`.
inline void put_block(const BackProjectTask& task, const VoxelTile& tile, int64_t k, int64_t j0, int64_t i0,
                      const float* sums, int64_t height, int64_t width, bool is_first, float* volume) {
  const int64_t rows = std::min(height, tile.y.end - j0), cols = std::min(width, tile.x.end - i0);
  for (int64_t j = 0; j < rows; ++j) {
    float* out = volume + (k * task.ny + j0 + j) * task.nx + i0;
    for (int64_t i = 0; i < cols; ++i) out[i] = sums[j * width + i] + (is_first ? 0.0f : out[i]);
  }
}

}  // namespace tl::ops
