// Fast back-projection: groups of views are copied with the rows innermost, tiles of voxel columns collect them.
#include "gpu/ops/back_projector_columns.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/ops/back_projector_lanes.h"
#include "gpu/ops/grain.h"

namespace tl::ops {
namespace {

constexpr int64_t tile_size = 16;     // voxel columns along y and x: the strip of detector that they touch stays in L2
constexpr int64_t block_slices = 64;  // slices of a block: four AVX-512 registers per voxel column
constexpr int64_t group_floats = int64_t{1} << 22;  // of a copied group of views, about: 16 MiB

// Slices k0 ... of view `view` at their fractional rows: lanes of out[col + 1]. Rows beyond the detector are 0.
void interpolate_rows(const BackProjectTask& task, int64_t view, int64_t k0, int64_t slices, int64_t lanes,
                      const float* projections, float* out) {
  const ViewMap& map = task.maps[view];
  const float* data = projections + view * task.rows * task.cols;
  for (int64_t lane = 0; lane < slices; ++lane) {
    const double row = map.v[0] + map.v[3] * static_cast<double>(k0 + lane);
    if (!(row > -1.0 && row < static_cast<double>(task.rows))) continue;
    const double low = std::floor(row);
    const auto r = static_cast<int64_t>(low);
    const float below = r >= 0 ? static_cast<float>(1.0 - (row - low)) : 0.0f;
    const float above = r + 1 < task.rows ? static_cast<float>(row - low) : 0.0f;
    const float* a = data + std::max<int64_t>(r, 0) * task.cols;
    const float* b = data + std::min(r + 1, task.rows - 1) * task.cols;
    for (int64_t c = 0; c < task.cols; ++c) out[(c + 1) * lanes + lane] = below * a[c] + above * b[c];
  }
}

void transpose_rows(const BackProjectTask& task, int64_t view, const float* projections, float* out) {
  constexpr int64_t block = 16;
  const float* data = projections + view * task.rows * task.cols;
  for (int64_t r0 = 0; r0 < task.rows; r0 += block)
    for (int64_t c = 0; c < task.cols; ++c)
      for (int64_t r = r0; r < std::min(task.rows, r0 + block); ++r)
        out[(c + 1) * task.rows + r] = data[r * task.cols + c];
}

// Adds the tile's sums to slices k0 ... of the volume; the first group of views writes instead of adding.
void store(const BackProjectTask& task, const ColumnTile& tile, int64_t k0, int64_t slices, int64_t first_view,
           float* volume) {
  const int64_t width = tile.i1 - tile.i0;
  for (int64_t k = 0; k < slices; ++k)
    for (int64_t j = tile.j0; j < tile.j1; ++j) {
      float* out = volume + ((k0 + k) * task.ny + j) * task.nx + tile.i0;
      const float* sums = tile.sums + (j - tile.j0) * width * tile.lanes + k;
      for (int64_t i = 0; i < width; ++i) out[i] = sums[i * tile.lanes] + (first_view == 0 ? 0.0f : out[i]);
    }
}

// One block of slices: all views, group by group.
void run_block(const BackProjectTask& task, ColumnKind kind, int64_t k0, int64_t slices, const float* projections,
               float* volume, const CancelToken& cancel) {
  const bool fixed = kind == ColumnKind::fixed_rows;
  const int64_t sum_lanes = (slices + 3) / 4 * 4, copy_lanes = fixed ? sum_lanes : task.rows;
  const int64_t view_size = (task.cols + column_padding) * copy_lanes;
  const int64_t group = std::clamp<int64_t>(group_floats / view_size, 1, std::min(task.views, most_group_views));
  const int64_t tiles_x = (task.nx + tile_size - 1) / tile_size, tiles_y = (task.ny + tile_size - 1) / tile_size;
  std::vector<float> copy(static_cast<std::size_t>(group * view_size));
  for (int64_t first = 0; first < task.views; first += group) {
    const int64_t views = std::min(group, task.views - first);
    at::parallel_for(0, views, grain(view_size), [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v) {
        float* out = copy.data() + v * view_size;
        if (fixed)
          interpolate_rows(task, first + v, k0, slices, copy_lanes, projections, out);
        else
          transpose_rows(task, first + v, projections, out);
      }
    });
    at::parallel_for(
        0, tiles_x * tiles_y, grain(tile_size * tile_size * views * sum_lanes / 8), [&](int64_t begin, int64_t end) {
          std::vector<float> sums(static_cast<std::size_t>(tile_size * tile_size * sum_lanes));
          std::vector<float> line(static_cast<std::size_t>(task.rows + 3));
          for (int64_t t = begin; t < end; ++t) {
            cancel.check();
            std::fill(sums.begin(), sums.end(), 0.0f);
            const int64_t j0 = t / tiles_x * tile_size, i0 = t % tiles_x * tile_size;
            const ColumnTile tile{
                j0, std::min(task.ny, j0 + tile_size), i0, std::min(task.nx, i0 + tile_size), sums.data(), sum_lanes};
            const ColumnCopy part{copy.data(), first, views, copy_lanes};
            if (fixed)
              add_fixed_rows(task, part, tile);
            else
              add_moving_rows(task, part, tile, k0, slices, line.data());
            store(task, tile, k0, slices, first, volume);
          }
        });
  }
}

}  // namespace

ColumnKind column_kind(const BackProjectTask& task) {
  // Less than this many pixels over the whole grid is rounding of the vectors.
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
  const int64_t block = kind == ColumnKind::fixed_rows ? block_slices : 4 * block_slices;
  for (int64_t k0 = 0; k0 < task.nz; k0 += block)
    run_block(task, kind, k0, std::min(block, task.nz - k0), projections, volume, cancel);
}

}  // namespace tl::ops
