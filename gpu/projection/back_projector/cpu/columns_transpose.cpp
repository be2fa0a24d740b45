// Transposes the back-projection by voxel columns: tiles with z innermost are spread over views with rows innermost.
#include "gpu/projection/back_projector/cpu/columns_transpose.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/device/choose_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/device/vector_lanes.h"
#include "gpu/projection/back_projector/cpu/lanes.h"

namespace tl::ops {
namespace {

constexpr int64_t tile_size = 8;      // number of voxel columns along y and x: with 64 slices they stay in L1
constexpr int64_t lanes_step = 16;    // the number of lanes is a multiple of this
constexpr int64_t fixed_slices = 64;  // slices of a block
constexpr int64_t moving_slices = 256;

// Voxel columns j0 <= j < j1, i0 <= i < i1 with slices k0 ... innermost: data[((j - j0) * width + i - i0) * lanes].
struct Tile {
  int64_t j0, j1, i0, i1, k0, slices, lanes;
  const float* data;
  [[nodiscard]] int64_t width() const { return i1 - i0; }
};

void turn_tile(const BackProjectTask& task, const float* volume, const Tile& tile, float* out) {
  const int64_t count = (tile.j1 - tile.j0) * tile.width();
  for (int64_t k = 0; k < tile.slices; ++k)
    for (int64_t j = tile.j0; j < tile.j1; ++j) {
      const float* from = volume + ((tile.k0 + k) * task.ny + j) * task.nx + tile.i0;
      float* to = out + (j - tile.j0) * tile.width() * tile.lanes + k;
      for (int64_t i = 0; i < tile.width(); ++i) to[i * tile.lanes] = from[i];
    }
  for (int64_t n = 0; n < count && tile.slices < tile.lanes; ++n)
    std::fill(out + n * tile.lanes + tile.slices, out + (n + 1) * tile.lanes, 0.0f);
}

// One view with slices as lanes: view[col + 1][lane].
template <class Vector, int N>
__attribute__((always_inline)) inline void spread_fixed(const ViewMap& map, double edge, const Tile& tile,
                                                        float* view) {
  constexpr int64_t width = sizeof(Vector) / sizeof(float), together = N * width;
  int32_t offset[tile_size];
  float left[tile_size], right[tile_size];
  const float* voxels = tile.data;
  for (int64_t j = tile.j0; j < tile.j1; ++j) {
    const double start = map.u[0] + map.u[2] * static_cast<double>(j);
    for (int64_t n = 0; n < tile_size; ++n) {
      const double col =
          std::min(std::max(start + map.u[1] * static_cast<double>(static_cast<int32_t>(tile.i0 + n)), -1.0), edge);
      const double low = std::floor(col);
      offset[n] = static_cast<int32_t>(low) + 1;
      right[n] = static_cast<float>(col - low);
      left[n] = 1.0f - right[n];
    }
    for (int64_t n = 0; n < tile.width(); ++n, voxels += tile.lanes) {
      float* a = view + offset[n] * tile.lanes;
      for (int64_t lane = 0; lane < tile.lanes; lane += together) {
        for (int m = 0; m < N; ++m) {
          const Vector x = *reinterpret_cast<const Vector*>(voxels + lane + m * width);
          *reinterpret_cast<Vector*>(a + lane + m * width) += left[n] * x;
          *reinterpret_cast<Vector*>(a + tile.lanes + lane + m * width) += right[n] * x;
        }
      }
    }
  }
}

template <class Vector>
__attribute__((always_inline)) inline void fixed_view(const ViewMap& map, double edge, const Tile& tile, float* view) {
  constexpr int registers = 64 / static_cast<int>(sizeof(Vector));  // of sixteen lanes
  if (tile.lanes % 64 == 0)
    spread_fixed<Vector, 4 * registers>(map, edge, tile, view);
  else
    spread_fixed<Vector, registers>(map, edge, tile, view);
}

// The contributions of a voxel to the detector row below it and to the next row, added by one instruction.
using Pair = VectorOf<double, 16>::type;

// Spreads a tile into one view of a cone beam, view[col + 1][row]: a voxel column is first spread along a single
// detector column, which is then distributed over two. scratch: rows + 4 pairs.
__attribute__((always_inline)) inline void moving_view(const BackProjectTask& task, const ViewMap& map,
                                                       const Tile& tile, float* view, double* scratch) {
  const auto edge = static_cast<double>(task.rows);
  auto* pairs = reinterpret_cast<Pair*>(scratch);
  const float* voxels = tile.data;
  for (int64_t j = tile.j0; j < tile.j1; ++j)
    for (int64_t i = tile.i0; i < tile.i1; ++i, voxels += tile.lanes) {
      const auto x = static_cast<double>(i), y = static_cast<double>(j);
      const double w = at_index(map.w, 0, y, x), inverse = 1.0 / w;
      const double col = at_index(map.u, 0, y, x) * inverse, step = map.v[3] * inverse,
                   first = at_index(map.v, static_cast<double>(tile.k0), y, x) * inverse;
      const double last = first + step * static_cast<double>(tile.slices - 1);
      const double low = std::max(std::min(first, last), -1.0), high = std::min(std::max(first, last), edge);
      const bool on_detector = w > 0 && col > -1.0 && col < static_cast<double>(task.cols) && low < edge && high > -1.0;
      if (!on_detector) continue;
      // pairs[r + 2] holds the contributions to rows r and r + 1; rows -1 and `rows` do not exist. Zeros before and
      // after.
      const auto begin = static_cast<int64_t>(std::floor(low)), end = static_cast<int64_t>(std::floor(high)) + 1;
      std::fill(scratch + 2 * (begin + 1), scratch + 2 * (end + 3), 0.0);
      constexpr int64_t block = 64;
      int32_t index[block];
      double share[2 * block];  // of pairs
      for (int64_t k0 = 0; k0 < tile.slices; k0 += block) {
        const int64_t n = std::min(block, tile.slices - k0);
        for (int64_t k = 0; k < n; ++k) {
          const double row =
              std::min(std::max(first + step * static_cast<double>(static_cast<int32_t>(k0 + k)), -1.0), edge);
          const double below = std::floor(row), value = static_cast<double>(voxels[k0 + k]);
          index[k] = static_cast<int32_t>(below) + 2;
          share[2 * k] = value - (row - below) * value;
          share[2 * k + 1] = (row - below) * value;
        }
        for (int64_t k = 0; k < n; ++k) pairs[index[k]] += *reinterpret_cast<const Pair*>(share + 2 * k);
      }
      const double ratio = map.axis_depth * inverse, weight = task.distance == DistanceMode::fdk ? ratio * ratio : 1.0;
      const double low_col = std::floor(col);
      const auto right = static_cast<float>(weight * (col - low_col));
      const float left = static_cast<float>(weight) - right;
      float* a = view + (static_cast<int64_t>(low_col) + 1) * task.rows;
      float* b = a + task.rows;
      for (int64_t r = std::max<int64_t>(begin, 0); r < std::min(end + 1, task.rows); ++r) {
        const auto sum = static_cast<float>(scratch[2 * r + 4] + scratch[2 * r + 3]);
        a[r] += left * sum;
        b[r] += right * sum;
      }
    }
}

// The transpose of interpolating slices from rows: adds view[col + 1][lane] to out[row][col].
void add_slices(const BackProjectTask& task, const ViewMap& map, const Tile& tile, const float* view, float* out) {
  for (int64_t lane = 0; lane < tile.slices; ++lane) {
    const double row = map.v[0] + map.v[3] * static_cast<double>(tile.k0 + lane), low = std::floor(row);
    for (int64_t n = 0; n < 2; ++n) {
      const auto weight = static_cast<float>(n == 0 ? 1.0 - (row - low) : row - low);
      const double at = low + static_cast<double>(n);
      if (!(weight > 0) || at < 0 || at >= static_cast<double>(task.rows)) continue;
      float* to = out + static_cast<int64_t>(at) * task.cols;
      for (int64_t c = 0; c < task.cols; ++c) to[c] += weight * view[(c + 1) * tile.lanes + lane];
    }
  }
}

void add_rows(const BackProjectTask& task, const float* view, float* out) {
  constexpr int64_t edge = 16;
  for (int64_t c0 = 0; c0 < task.cols; c0 += edge)
    for (int64_t r = 0; r < task.rows; ++r)
      for (int64_t c = c0; c < std::min(task.cols, c0 + edge); ++c)
        out[r * task.cols + c] += view[(c + 1) * task.rows + r];
}

// Spreads all voxel columns of some slices into the views first ... first + views - 1.
void spread_views(const BackProjectTask& task, ColumnKind kind, const Tile& block, int64_t first, int64_t views,
                  const float* volume, float* projections, const CancelToken& cancel) {
  const CpuVariant variant = best_cpu_variant();
  const auto fixed = LoopVariants<fixed_view<VectorOf<float, 64>::type>, fixed_view<VectorOf<float, 32>::type>,
                                  fixed_view<VectorOf<float, 16>::type>>::of(variant);
  const auto moving = LoopVariants<moving_view>::of(variant);
  const bool is_fixed = kind == ColumnKind::fixed_rows;
  const int64_t view_size = (task.cols + column_padding) * (is_fixed ? block.lanes : task.rows);
  std::vector<float> own(static_cast<std::size_t>(views * view_size)), turned;
  std::vector<double> scratch(static_cast<std::size_t>(is_fixed ? 0 : 2 * (task.rows + 4)));
  turned.resize(static_cast<std::size_t>(tile_size * tile_size * block.lanes));
  for (int64_t j0 = 0; j0 < task.ny; j0 += tile_size)
    for (int64_t i0 = 0; i0 < task.nx; i0 += tile_size) {
      cancel.check();
      Tile tile = block;
      tile.j0 = j0;
      tile.j1 = std::min(task.ny, j0 + tile_size);
      tile.i0 = i0;
      tile.i1 = std::min(task.nx, i0 + tile_size);
      tile.data = turned.data();
      turn_tile(task, volume, tile, turned.data());
      for (int64_t v = 0; v < views; ++v) {
        const ViewMap& map = task.maps[first + v];
        float* view = own.data() + v * view_size;
        if (is_fixed)
          fixed(map, static_cast<double>(task.cols), tile, view);
        else
          moving(task, map, tile, view, scratch.data());
      }
    }
  for (int64_t v = 0; v < views; ++v) {
    const float* view = own.data() + v * view_size;
    float* out = projections + (first + v) * task.rows * task.cols;
    if (is_fixed)
      add_slices(task, task.maps[first + v], block, view, out);
    else
      add_rows(task, view, out);
  }
}

}  // namespace

void back_project_columns_transpose(const BackProjectTask& task, ColumnKind kind, const float* volume,
                                    float* projections, const CancelToken& cancel) {
  const int64_t most = kind == ColumnKind::fixed_rows ? fixed_slices : moving_slices;
  std::fill_n(projections, task.views * task.rows * task.cols, 0.0f);
  for (int64_t k0 = 0; k0 < task.nz; k0 += most) {
    const int64_t slices = std::min(most, task.nz - k0);
    const Tile block{0, 0, 0, 0, k0, slices, (slices + lanes_step - 1) / lanes_step * lanes_step, nullptr};
    const int64_t lanes = kind == ColumnKind::fixed_rows ? block.lanes : task.rows;
    const int64_t group = views_at_once(task, (task.cols + column_padding) * lanes);
    for (int64_t first = 0; first < task.views; first += group) {
      const int64_t views = std::min(group, task.views - first);
      ops::parallel_for(0, views, grain(task.ny * task.nx * block.lanes), [&](int64_t begin, int64_t end) {
        spread_views(task, kind, block, first + begin, end - begin, volume, projections, cancel);
      });
    }
  }
}

}  // namespace tl::ops
