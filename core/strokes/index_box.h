// IndexBox: the voxels that may be near some points.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/grid_box.h"
#include "core/strokes/bricks.h"

namespace tl::strokes {

struct IndexBox {
  Voxel low{0, 0, 0}, high{-1, -1, -1};  // both included; empty if high is below low
};

// The box of the grid's voxels within `reach` [mm] of the box around the points.
inline IndexBox box_around(const VolumeGrid& grid, std::span<const Vec3> points, double reach) {
  GridPoint low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Vec3& point : points) {
    const GridPoint at = fractional_index(grid, point);
    low = {std::min(low.k, at.k), std::min(low.j, at.j), std::min(low.i, at.i)};
    high = {std::max(high.k, at.k), std::max(high.j, at.j), std::max(high.i, at.i)};
  }
  const auto first = [&](double index, const Vec3& step) {
    return static_cast<int64_t>(std::ceil(std::clamp(index - reach / norm(step) - 1e-6, 0.0, 1e15)));
  };
  const auto last = [&](double index, const Vec3& step, int64_t count) {
    return static_cast<int64_t>(
        std::floor(std::clamp(index + reach / norm(step) + 1e-6, -1.0, static_cast<double>(count - 1))));
  };
  return {{first(low.k, grid.step_z), first(low.j, grid.step_y), first(low.i, grid.step_x)},
          {last(high.k, grid.step_z, grid.nz), last(high.j, grid.step_y, grid.ny), last(high.i, grid.step_x, grid.nx)}};
}

// Every voxel on the straight line, sampled at a quarter of the smallest voxel edge.
inline void add_line(VoxelSet& set, const VolumeGrid& grid, Vec3 from, Vec3 to) {
  const double edge = std::min({norm(grid.step_x), norm(grid.step_y), norm(grid.step_z)});
  const auto steps = static_cast<int64_t>(std::ceil(std::min(4 * norm(to - from) / edge, 1e6)));
  for (int64_t i = 0; i <= steps; ++i)
    set.add(nearest_voxel(
        grid, steps == 0 ? from : from + (static_cast<double>(i) / static_cast<double>(steps)) * (to - from)));
}

}  // namespace tl::strokes
