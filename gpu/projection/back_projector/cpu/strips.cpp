// Back-projects oblique planes and slightly tilted scans by strips: tiles copy the pixels they need (zeros beyond the
// detector) and sum them in strips. Needs AVX-512; on processors other than x86-64 it is not compiled.
#include "gpu/projection/back_projector/cpu/strips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gpu/device/aligned_vector.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/device/parallel_parts.h"
#include "gpu/device/transpose_lanes.h"
#include "gpu/projection/back_projector/cpu/strip_views.h"
#include "gpu/projection/voxel_tiles.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tl::ops {
#if defined(__x86_64__)
namespace {

constexpr double max_tile_pixels = 1 << 16;  // of one view

// Detector positions of a tile's voxels in a view, and the largest distances between neighbours along x, y and z.
struct TileFootprint {
  double col[2] = {1e300, -1e300}, row[2] = {1e300, -1e300};  // smallest and largest
  // The positions lie between two parallel lines: col moves by `lean` per row along y; `edge` bounds the remainder.
  double lean = 0, edge[2] = {1e300, -1e300};
  double col_step[3] = {}, row_step[3] = {}, depth_step = 0;  // depth_step: along x only
  bool in_front = true;                                       // all voxels are in front of the source
};

// Strips may extend beyond the tile. Detector positions of a box lie between those of its corners.
TileFootprint footprint_of(const ViewMap& map, const VoxelTile& tile) {
  const auto whole = [](Range r, int64_t unit) { return r.begin + (r.size() + unit - 1) / unit * unit - 1; };
  const double x[2] = {static_cast<double>(tile.x.begin), static_cast<double>(whole(tile.x, strip_width))};
  const double y[2] = {static_cast<double>(tile.y.begin), static_cast<double>(whole(tile.y, strip_lines))};
  const double z[2] = {static_cast<double>(tile.z.begin), static_cast<double>(tile.z.end - 1)};
  TileFootprint footprint;
  double nearest = 1e300, cols[8], rows[8];
  for (unsigned corner = 0; corner < 8; ++corner) {
    const double i = x[corner & 1U], j = y[corner >> 1U & 1U], k = z[corner >> 2U];
    const double w = at_index(map.w, k, j, i);
    if (!(w > 0)) {
      footprint.in_front = false;
      return footprint;
    }
    const double col = at_index(map.u, k, j, i) / w, row = at_index(map.v, k, j, i) / w;
    cols[corner] = col;
    rows[corner] = row;
    footprint.col[0] = std::min(footprint.col[0], col);
    footprint.col[1] = std::max(footprint.col[1], col);
    footprint.row[0] = std::min(footprint.row[0], row);
    footprint.row[1] = std::max(footprint.row[1], row);
    for (int a = 0; a < 3; ++a) {
      footprint.col_step[a] = std::max(footprint.col_step[a], std::abs(map.u[a + 1] - col * map.w[a + 1]));
      footprint.row_step[a] = std::max(footprint.row_step[a], std::abs(map.v[a + 1] - row * map.w[a + 1]));
    }
    nearest = std::min(nearest, w);
  }
  for (int a = 0; a < 3; ++a) {
    footprint.col_step[a] /= nearest;
    footprint.row_step[a] /= nearest;
  }
  footprint.depth_step = std::abs(map.w[1]) / nearest;
  const double along_y = rows[2] - rows[0];
  if (std::abs(along_y) > 1) footprint.lean = (cols[2] - cols[0]) / along_y;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const double rest = cols[corner] - footprint.lean * rows[corner];
    footprint.edge[0] = std::min(footprint.edge[0], rest);
    footprint.edge[1] = std::max(footprint.edge[1], rest);
  }
  return footprint;
}

// The detector pixels that a tile needs from a group of views: planned first, so that they can be prefetched while the
// previous group is being summed, then copied.
class DetectorWindows {
 public:
  DetectorWindows(const BackProjectTask& task, const float* projections) : task_(task), projections_(projections) {}

  // Plans the group that begins with this view, of at most max_strip_views.
  void plan(const VoxelTile& tile, int64_t first) {
    next_.first = first;
    next_.views = std::min(max_strip_views, task_.views - first);
    rows_ = 0;
    for (int64_t n = 0; n < next_.views; ++n) {
      Box& box = boxes_[static_cast<std::size_t>(n)];
      box = box_of(footprint_of(task_.maps[first + n], tile), n);
      rows_ += box.rows.size();
    }
    view_ = row_ = 0;
  }
  // Prefetches one of `shares` parts of the planned pixels into L2.
  void fetch(int64_t shares) {
    for (int64_t left = (rows_ + shares - 1) / shares; left > 0 && view_ < next_.views; --left) {
      const Box& box = boxes_[static_cast<std::size_t>(view_)];
      if (row_ >= box.rows.size()) {
        row_ = 0;
        ++view_;
        continue;
      }
      const int64_t row = box.rows.begin + row_++;
      const Range cols = box.columns(row).clamp({0, task_.cols});
      if (row < 0 || row >= task_.rows || cols.empty()) continue;
      const auto* from = reinterpret_cast<const char*>(row_of(next_.first + view_, row) + cols.begin);
      const int64_t bytes = cols.size() * static_cast<int64_t>(sizeof(float));
      for (int64_t at = 0; at < bytes + cache_line; at += cache_line) _mm_prefetch(from + at, _MM_HINT_T1);
    }
  }
  // Copies the planned pixels.
  void copy() {
    views_ = next_;
    std::size_t floats = 0;
    for (int64_t n = 0; n < views_.views; ++n) {
      const Box& box = boxes_[static_cast<std::size_t>(n)];
      floats += static_cast<std::size_t>(box.rows.size() * box.stride);
    }
    if (pixels_.size() < floats) pixels_.resize(floats);
    float* to = pixels_.data();
    for (int64_t n = 0; n < views_.views; ++n) {
      const Box& box = boxes_[static_cast<std::size_t>(n)];
      views_.pixels[n] = to;
      copy(views_.first + n, box, to);
      to += box.rows.size() * box.stride;
    }
  }
  [[nodiscard]] const StripViews& views() const { return views_; }

 private:
  static constexpr int64_t cache_line = 64;

  // Space for all pixels that lines load into registers; only pixels that voxels project onto are copied and used.
  struct Box {
    Range rows, cols;
    int64_t stride = 0;
    double lean = 0, edge[2] = {};  // as in TileFootprint

    // Columns needed in a row by voxels that project within one row of it, plus one on either side for rounding.
    [[nodiscard]] Range columns(int64_t row) const {
      constexpr double near = 1.01;
      const double middle = lean * static_cast<double>(row), reach = std::abs(lean) * near;
      return Range{std::llround(std::floor(edge[0] + middle - reach)) - 1,
                   std::llround(std::floor(edge[1] + middle + reach)) + 3}
          .clamp(cols);
    }
  };

  [[nodiscard]] const float* row_of(int64_t view, int64_t row) const {
    return projections_ + (view * task_.rows + row) * task_.cols;
  }

  Box box_of(const TileFootprint& footprint, int64_t n) {
    next_.read_mode[n] = StripReadMode::nothing;
    next_.row[n] = next_.col[n] = next_.stride[n] = 0;
    const auto cols = static_cast<double>(task_.cols), rows = static_cast<double>(task_.rows);
    if (footprint.col[1] <= -1 || footprint.col[0] >= cols || footprint.row[1] <= -1 || footprint.row[0] >= rows)
      return {};
    const auto range_around = [](const double* ends, int64_t margin) {
      return Range{std::llround(std::floor(ends[0])) - margin, std::llround(std::floor(ends[1])) + margin + 1};
    };
    next_.read_mode[n] = strip_read_mode(footprint.col_step[0], footprint.row_step[0], footprint.depth_step);
    const StripMargin margin = strip_margin(next_.read_mode[n]);
    Box box{range_around(footprint.row, margin.rows),
            range_around(footprint.col, margin.cols),
            0,
            footprint.lean,
            {footprint.edge[0], footprint.edge[1]}};
    box.stride = (box.cols.size() + 15) / 16 * 16;
    if (box.stride % 256 == 0) box.stride += 16;  // otherwise all rows would use the same cache sets
    next_.row[n] = static_cast<double>(box.rows.begin);
    next_.col[n] = static_cast<double>(box.cols.begin);
    next_.stride[n] = static_cast<double>(box.stride);
    return box;
  }

  void copy(int64_t view, const Box& box, float* to) const {
    for (int64_t r = box.rows.begin; r < box.rows.end; ++r, to += box.stride) {
      const Range wanted = box.columns(r), cols = wanted.clamp({0, task_.cols});
      float* first = to + (wanted.begin - box.cols.begin);
      if (r < 0 || r >= task_.rows || cols.empty()) {
        std::fill_n(first, wanted.size(), 0.0f);
        continue;
      }
      const int64_t before = cols.begin - wanted.begin;
      std::fill_n(first, before, 0.0f);
      std::copy_n(row_of(view, r) + cols.begin, cols.size(), first + before);
      std::fill_n(first + before + cols.size(), wanted.end - cols.end, 0.0f);
    }
  }

  const BackProjectTask& task_;
  const float* projections_;
  StripViews views_{}, next_{};
  std::array<Box, max_strip_views> boxes_;
  int64_t rows_ = 0, view_ = 0, row_ = 0;  // planned rows in all, and prefetch progress
  AlignedVector<float> pixels_;
};

void run_tile(const BackProjectTask& task, const ViewArrays& maps, const VoxelTile& tile, DetectorWindows& windows,
              float* volume, const CancelToken& cancel) {
  alignas(64) float sums[strip_lines * strip_width];
  const auto count = [](Range r, int64_t unit) { return (r.size() + unit - 1) / unit; };
  const int64_t strips = tile.z.size() * count(tile.y, strip_lines) * count(tile.x, strip_width);
  windows.plan(tile, 0);
  for (int64_t first = 0; first < task.views; first += max_strip_views) {
    cancel.check();
    windows.copy();
    const bool more = first + max_strip_views < task.views;
    if (more) windows.plan(tile, first + max_strip_views);
    for (int64_t k = tile.z.begin; k < tile.z.end; ++k)
      for (int64_t j0 = tile.y.begin; j0 < tile.y.end; j0 += strip_lines)
        for (int64_t i0 = tile.x.begin; i0 < tile.x.end; i0 += strip_width) {
          if (more) windows.fetch(strips);
          if (j0 + strip_lines <= tile.y.end && i0 + strip_width <= tile.x.end) {
            float* there = volume + (k * task.ny + j0) * task.nx + i0;
            collect_strips(task, maps, windows.views(), k, j0, i0, {there, task.nx, first != 0});
            continue;
          }
          collect_strips(task, maps, windows.views(), k, j0, i0, {sums, strip_width, false});
          put_block(task, tile, k, j0, i0, sums, strip_lines, strip_width, first == 0, volume);
        }
  }
}

void run_tiles(const BackProjectTask& task, const float* projections, float* volume, const CancelToken& cancel) {
  const ViewArrays maps(task);
  const VoxelTiles tiles(task);
  parallel_parts(tiles.count(), grain(tiles.updates() / 8), [&] {
    return [&, windows = DetectorWindows(task, projections)](int64_t begin, int64_t end) mutable {
      for (int64_t t = begin; t < end; ++t) run_tile(task, maps, tiles[t], windows, volume, cancel);
    };
  });
}

// An upper bound of the number of pixels that a tile of such voxels needs.
double tile_pixels(const TileFootprint& footprint) {
  const double size[3] = {VoxelTiles::side, VoxelTiles::side, VoxelTiles::depth};
  double cols = 64, rows = 8;
  for (int a = 0; a < 3; ++a) {
    cols += size[a] * footprint.col_step[a];
    rows += size[a] * footprint.row_step[a];
  }
  return cols * rows;
}

// Number of views in which strips are read from registers, at the middle of the grid; 0 if part of the grid is not in
// front of the source or a tile would need too many pixels.
int64_t views_in_registers(const BackProjectTask& task) {
  const VoxelTile all{{0, task.nz}, {0, task.ny}, {0, task.nx}};
  const double k = 0.5 * static_cast<double>(task.nz - 1), j = 0.5 * static_cast<double>(task.ny - 1),
               i = 0.5 * static_cast<double>(task.nx - 1);
  int64_t count = 0;
  for (int64_t n = 0; n < task.views; ++n) {
    const ViewMap& map = task.maps[n];
    const TileFootprint footprint = footprint_of(map, all);
    if (!footprint.in_front || !(tile_pixels(footprint) <= max_tile_pixels)) return 0;
    const double w = at_index(map.w, k, j, i);
    const auto step = [&](const double* c) { return (c[1] - at_index(c, k, j, i) / w * map.w[1]) / w; };
    if (strip_read_mode(step(map.u), step(map.v), map.w[1] / w) != StripReadMode::pixels) ++count;
  }
  return count;
}

// The task with x and y exchanged.
struct ExchangedAxesTask {
  BackProjectTask task;
  std::vector<ViewMap> maps;

  explicit ExchangedAxesTask(const BackProjectTask& from) : task(from), maps(from.maps, from.maps + from.views) {
    std::swap(task.nx, task.ny);
    for (ViewMap& map : maps)
      for (double* c : {map.u, map.v, map.w}) std::swap(c[1], c[2]);
    task.maps = maps.data();
  }
  ExchangedAxesTask(const ExchangedAxesTask&) = delete;  // task points into maps
  ExchangedAxesTask& operator=(const ExchangedAxesTask&) = delete;
  ~ExchangedAxesTask() = default;
};

}  // namespace

bool back_project_strips(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel) {
  if (best_cpu_variant() != CpuVariant::avx512) return false;
  const ExchangedAxesTask turned(task);
  const int64_t along_x = views_in_registers(task), along_y = task.nz == 1 ? views_in_registers(turned.task) : 0;
  // The remaining views are gathered pixel by pixel, which takes several times as long.
  if (4 * std::max(along_x, along_y) < 3 * task.views) return false;
  if (along_x >= along_y) {
    run_tiles(task, projections, volume, cancel);
    return true;
  }
  std::vector<float> plane(static_cast<std::size_t>(task.nx * task.ny));
  run_tiles(turned.task, projections, plane.data(), cancel);
  constexpr int64_t at_once = 64;  // rows
  ops::parallel_for(0, (task.ny + at_once - 1) / at_once, grain(at_once * task.nx), [&](int64_t begin, int64_t end) {
    for (int64_t j = begin * at_once; j < std::min(task.ny, end * at_once); j += at_once)
      lanes_to_slices(plane.data() + j, task.ny, std::min(at_once, task.ny - j), task.nx, volume + j * task.nx,
                      task.nx);
  });
  return true;
}

#else

bool back_project_strips(const BackProjectTask&, const float*, float*, const CancelToken&) { return false; }

#endif

}  // namespace tl::ops
