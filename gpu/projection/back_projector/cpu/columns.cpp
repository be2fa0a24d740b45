// Back-projects by voxel columns along z: groups of views are copied with the rows innermost and added tile by tile.
#include "gpu/projection/back_projector/cpu/columns.h"
#include "gpu/device/parallel_for.h"
#include "gpu/projection/back_projector/cpu/interpolate_row.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/grain.h"
#include "gpu/projection/back_projector/cpu/cone_columns_avx512.h"
#include "gpu/projection/back_projector/cpu/lanes.h"

namespace tl::ops {
namespace {

constexpr int64_t tile_size = 16;     // number of voxel columns along y and x: the detector strip they need stays in L2
constexpr int64_t fixed_slices = 64;  // number of slices of a block: four AVX-512 registers per voxel column
constexpr int64_t moving_slices = 256;
constexpr int64_t min_group_floats = int64_t{1} << 18, max_group_floats = int64_t{1} << 25;  // 1 ... 128 MiB

enum class Loops { fixed, moving, walk };

// Some slices of the volume, and the layout of the views copied for them.
struct Block {
  Loops loops;
  int64_t k0, slices, sum_lanes;
  int64_t first_row, copy_lanes;
  int64_t group;  // views copied at a time
};

// Interpolates slices k0 ... of view `view` at their fractional rows into the lanes of out[col + 1]. Rows beyond the
// detector are 0.
void interpolate_rows(const BackProjectTask& task, int64_t view, int64_t k0, int64_t slices, int64_t lanes,
                      const float* projections, float* out) {
  const ViewMap& map = task.maps[view];
  for (int64_t lane = 0; lane < slices; ++lane)
    interpolate_row(task, projections, view, map.v[0] + map.v[3] * static_cast<double>(k0 + lane), out + lanes + lane,
                    lanes);
}

// Copies rows first_row ... of a view into the lanes of out[col + 1]; lanes beyond the detector are not written.
void transpose_rows(const BackProjectTask& task, const Block& block, int64_t view, const float* projections,
                    float* out) {
  constexpr int64_t tile = 16;
  const float* data = projections + view * task.rows * task.cols;
  const int64_t last = std::min(task.rows, block.first_row + block.copy_lanes);
  for (int64_t r0 = std::max<int64_t>(0, block.first_row); r0 < last; r0 += tile)
    for (int64_t c = 0; c < task.cols; ++c) {
      float* to = out + (c + 1) * block.copy_lanes - block.first_row;
      for (int64_t r = r0; r < std::min(last, r0 + tile); ++r) to[r] = data[r * task.cols + c];
    }
}

// The range of rows that the middles of each sixteen slices of a block project to, over all voxel columns and views,
// clipped to rows whose window can touch the detector.
std::pair<double, double> middle_rows(const BackProjectTask& task, int64_t k0, int64_t sum_lanes) {
  constexpr double beyond = cone_column_reach + 1;
  double low = static_cast<double>(task.rows) + beyond, high = -beyond;
  for (int64_t v = 0; v < task.views; ++v)
    for (const double j : {0.0, static_cast<double>(task.ny - 1)})
      for (const double i : {0.0, static_cast<double>(task.nx - 1)})
        for (const double k : {7.5, static_cast<double>(sum_lanes) - 8.5}) {
          const ViewMap& m = task.maps[v];
          const double row = at_index(m.v, static_cast<double>(k0) + k, j, i) / at_index(m.w, 0, j, i);
          low = std::min(low, row);
          high = std::max(high, row);
        }
  return {std::max(low, -beyond), std::min(high, static_cast<double>(task.rows) + beyond)};
}

Block make_block(const BackProjectTask& task, Loops loops, int64_t k0) {
  const int64_t most = loops == Loops::fixed ? fixed_slices : loops == Loops::walk ? cone_column_slices : moving_slices;
  Block b{loops, k0, std::min(most, task.nz - k0), 0, 0, 0, 0};
  b.sum_lanes = (b.slices + 3) / 4 * 4;
  if (loops == Loops::fixed) {
    b.copy_lanes = b.sum_lanes;
  } else if (loops == Loops::moving) {
    b.copy_lanes = task.rows;
  } else {
    b.sum_lanes = b.slices <= 16 ? 16 : b.slices <= 32 ? 32 : b.slices <= 64 ? 64 : cone_column_slices;
    const auto [low, high] = middle_rows(task, k0, b.sum_lanes);
    b.first_row = static_cast<int64_t>(std::floor(low)) - cone_column_reach;
    const int64_t lanes = static_cast<int64_t>(std::floor(high)) + cone_column_reach + 1 - b.first_row;
    b.copy_lanes = (std::max(lanes, 2 * cone_column_reach + 1) + 15) / 16 * 16;
  }
  b.group = views_at_once(task, (task.cols + column_padding) * b.copy_lanes);
  return b;
}

// Adds the tile's sums to the block's slices of the volume; the first group of views writes instead of adding.
void store(const BackProjectTask& task, const Block& block, const ColumnTile& tile, int64_t first_view, float* volume) {
  const int64_t width = tile.i1 - tile.i0;
  constexpr int64_t ahead = 2;  // number of prefetched slices: each row of a tile is a separate cache line
  for (int64_t k = 0; k < block.slices; ++k)
    for (int64_t j = tile.j0; j < tile.j1; ++j) {
      float* out = volume + ((block.k0 + k) * task.ny + j) * task.nx + tile.i0;
      if (k + ahead < block.slices) __builtin_prefetch(out + ahead * task.ny * task.nx, 1);
      const float* sums = tile.sums + (j - tile.j0) * width * tile.stride + k;
      if (first_view == 0)
        for (int64_t i = 0; i < width; ++i) out[i] = sums[i * tile.stride];
      else
        for (int64_t i = 0; i < width; ++i) out[i] += sums[i * tile.stride];
    }
}

void copy_view(const BackProjectTask& task, const Block& block, int64_t view, const float* projections, float* out) {
  if (block.loops == Loops::fixed)
    interpolate_rows(task, view, block.k0, block.slices, block.copy_lanes, projections, out);
  else
    transpose_rows(task, block, view, projections, out);
}

// Processes one block of slices: all views, group by group.
void run_block(const BackProjectTask& task, const ViewArrays& maps, const Block& block, const float* projections,
               float* volume, const CancelToken& cancel) {
  const int64_t view_size = (task.cols + column_padding) * block.copy_lanes;
  const int64_t tiles_x = (task.nx + tile_size - 1) / tile_size, tiles_y = (task.ny + tile_size - 1) / tile_size;
  std::vector<float> data(static_cast<std::size_t>(block.group * view_size));
  for (int64_t first = 0; first < task.views; first += block.group) {
    const ColumnCopy copy{data.data(), first, std::min(block.group, task.views - first), block.copy_lanes,
                          block.first_row};
    ops::parallel_for(0, copy.views, grain(view_size), [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v) copy_view(task, block, first + v, projections, data.data() + v * view_size);
    });
    const int64_t updates = tile_size * tile_size * copy.views * block.sum_lanes;
    ops::parallel_for(0, tiles_x * tiles_y, grain(updates / 8), [&](int64_t begin, int64_t end) {
      // Not a power of two: the same slice of neighbouring voxel columns must not map to the same cache lines.
      const int64_t stride = block.sum_lanes + 16;
      std::vector<float> sums(static_cast<std::size_t>(tile_size * tile_size * stride));
      std::vector<float> line(static_cast<std::size_t>(task.rows + 3));
      for (int64_t t = begin; t < end; ++t) {
        cancel.check();
        std::fill(sums.begin(), sums.end(), 0.0f);
        const int64_t j0 = t / tiles_x * tile_size, i0 = t % tiles_x * tile_size;
        const ColumnTile tile{j0,          std::min(task.ny, j0 + tile_size),
                              i0,          std::min(task.nx, i0 + tile_size),
                              sums.data(), block.sum_lanes,
                              stride};
        if (block.loops == Loops::fixed)
          add_fixed_rows(task, copy, tile);
        else if (block.loops == Loops::moving)
          add_moving_rows(task, copy, tile, block.k0, block.slices, line.data());
        else
          add_cone_columns(task, maps, copy, tile, block.k0);
        store(task, block, tile, first, volume);
      }
    });
  }
}

}  // namespace

int64_t views_at_once(const BackProjectTask& task, int64_t view_floats) {
  const int64_t all = task.views * task.rows * task.cols + task.nz * task.ny * task.nx;
  return std::clamp<int64_t>(std::clamp(all / 12, min_group_floats, max_group_floats) / view_floats, 1, task.views);
}

ColumnKind column_kind(const BackProjectTask& task) {
  // A voxel column along z stays in one detector column if u and w do not depend on k. Over the whole grid, changes of
  // u and v up to this many pixels, and of w up to this share of `axis_depth`, are rounding errors of the view vectors.
  constexpr double rounding = 1e-9;
  const auto nz = static_cast<double>(task.nz), ny = static_cast<double>(task.ny), nx = static_cast<double>(task.nx);
  bool fixed = task.cone == 0;
  for (int64_t v = 0; v < task.views; ++v) {
    const ViewMap& m = task.maps[v];
    if (std::abs(m.u[3]) * nz > rounding || std::abs(m.w[3]) * nz > rounding * std::abs(m.axis_depth))
      return ColumnKind::none;
    fixed = fixed && std::abs(m.v[1]) * nx + std::abs(m.v[2]) * ny <= rounding;
  }
  if (fixed) return ColumnKind::fixed_rows;
  return task.cone != 0 ? ColumnKind::moving_rows : ColumnKind::none;
}

void back_project_columns(const BackProjectTask& task, ColumnKind kind, const float* projections, float* volume,
                          const CancelToken& cancel) {
  const ViewArrays maps(task);
  const bool walks =
      kind == ColumnKind::moving_rows && best_cpu_variant() == CpuVariant::avx512 && cone_columns_fit(task);
  const Loops loops = kind == ColumnKind::fixed_rows ? Loops::fixed : walks ? Loops::walk : Loops::moving;
  for (int64_t k0 = 0; k0 < task.nz;) {
    const Block block = make_block(task, loops, k0);
    run_block(task, maps, block, projections, volume, cancel);
    k0 += block.slices;
  }
}

}  // namespace tl::ops
