// Back-projection on a GPU: for a tile of voxels, the detector window that it needs is staged in shared memory, several
// views per pass.
//
// The interpolation is exact to float32, whereas a texture unit has fractions of only eight bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/device/half.h"
#include "gpu/projection/back_projector/math.h"

namespace tl::ops {

// A view as needed by one tile. For a voxel at offset d from the tile's middle [voxels] and q = 1 / (1 + w.d), the
// position in the window is (col + q u.d, row + q v.d), and the distance weight is `weight` q^2.
struct TileView {
  enum Kind : int32_t { misses, window, direct };
  Kind kind;
  int32_t row0, col0, rows, cols;  // the window: detector pixels, zeros beyond the detector
  float col, row, u[3], v[3], w[3], weight;
};

// A thread block is 16 x 16 x 8 voxels; each thread handles a column of eight. Positions are computed in double for the
// middle of a tile and in float within it. A tile reads the views directly if its window is too large for shared memory
// or if it reaches behind the source.
template <class Stored>
struct BackProjectTile {
  static constexpr int side = 16, depth = 8, threads = side * side, views_at_once = 8, window_size = 1024;
  struct Shared {
    TileView view[views_at_once];
    float pixels[views_at_once][window_size];
  };
  struct Own {
    float sums[depth];
    int64_t i, j, k;  // of the column's first voxel
    bool inside;
  };

  BackProjectTask task;
  const Stored* projections;  // [view, row, col]
  const float* scales;        // one per view; nullptr: all 1
  float* volume;              // [z, y, x]

  static TL_HD int64_t tiles(int64_t n, int64_t size) { return (n + size - 1) / size; }
  [[nodiscard]] int64_t blocks() const { return tiles(task.nx, side) * tiles(task.ny, side) * tiles(task.nz, depth); }
  TL_HD int64_t passes() const { return tiles(task.views, views_at_once); }

  TL_HD void begin(Own& own, int64_t block, int thread) const {
    const int64_t across = tiles(task.nx, side), down = tiles(task.ny, side);
    own.i = block % across * side + thread % side;
    own.j = block / across % down * side + thread / side;
    own.k = block / across / down * depth;
    own.inside = own.i < task.nx && own.j < task.ny;
#pragma unroll
    for (int z = 0; z < depth; ++z) own.sums[z] = 0;
  }

  TL_HD void plan(Shared& shared, int64_t block, int64_t pass, int thread) const {
    if (thread >= views_at_once) return;
    const int64_t view = pass * views_at_once + thread;
    TileView& out = shared.view[thread];
    out.kind = TileView::misses;
    if (view < task.views) look(task.maps[view], block, out);
  }

  TL_HD void load(Shared& shared, int64_t pass, int thread) const {
    for (int n = 0; n < views_at_once; ++n) {
      const TileView& s = shared.view[n];
      if (s.kind != TileView::window) continue;
      const int64_t view = pass * views_at_once + n;
      const Stored* data = projections + view * task.rows * task.cols;
      const float scale = scales == nullptr ? 1.0f : scales[view];
      for (int32_t p = thread; p < s.rows * s.cols; p += threads) {
        const int64_t row = s.row0 + p / s.cols, col = s.col0 + p % s.cols;
        const bool there = row >= 0 && row < task.rows && col >= 0 && col < task.cols;
        shared.pixels[n][p] = there ? scale * to_float(data[row * task.cols + col]) : 0.0f;
      }
    }
  }

  TL_HD void collect(const Shared& shared, Own& own, int64_t /*block*/, int64_t pass, int thread) const {
    if (!own.inside) return;
    const int column = thread % side, line = thread / side;
    const auto x = static_cast<float>(column) - 0.5f * (side - 1);
    const auto y = static_cast<float>(line) - 0.5f * (side - 1);
    for (int n = 0; n < views_at_once; ++n) {
      const TileView& s = shared.view[n];
      if (s.kind == TileView::window)
        collect_window(s, shared.pixels[n], own, x, y);
      else if (s.kind == TileView::direct)
        collect_direct(pass * views_at_once + n, own);
    }
  }

  TL_HD void finish(const Own& own, int64_t /*block*/, int /*thread*/) const {
    if (!own.inside) return;
#pragma unroll
    for (int z = 0; z < depth; ++z)
      if (own.k + z < task.nz) volume[((own.k + z) * task.ny + own.j) * task.nx + own.i] = own.sums[z];
  }

 private:
  // Projects the tile's middle and corners into a view.
  TL_HD void look(const ViewMap& map, int64_t block, TileView& out) const {
    const int64_t across = tiles(task.nx, side), down = tiles(task.ny, side);
    const int64_t first[3] = {block % across * side, block / across % down * side, block / across / down * depth};
    const int64_t size[3] = {side, side, depth}, end[3] = {task.nx, task.ny, task.nz};
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (int corner = 0; corner < 8; ++corner) {
      double p[3];
      for (int a = 0; a < 3; ++a) {
        const int64_t last = first[a] + size[a] < end[a] ? first[a] + size[a] - 1 : end[a] - 1;
        p[a] = static_cast<double>((corner >> a & 1) != 0 ? last : first[a]);
      }
      const double w = task.cone != 0 ? at_index(map.w, p[2], p[1], p[0]) : 1.0;
      if (!(w > 0)) {
        out.kind = TileView::direct;
        return;
      }
      const double at[2] = {at_index(map.u, p[2], p[1], p[0]) / w, at_index(map.v, p[2], p[1], p[0]) / w};
      for (int a = 0; a < 2; ++a) {
        if (at[a] < low[a]) low[a] = at[a];
        if (at[a] > high[a]) high[a] = at[a];
      }
    }
    if (high[0] <= -1 || high[1] <= -1 || low[0] >= static_cast<double>(task.cols) ||
        low[1] >= static_cast<double>(task.rows))
      return;
    // One pixel around for the rounding of positions within the tile, one more for the interpolation.
    const double cols = std::floor(high[0]) - std::floor(low[0]) + 4,
                 rows = std::floor(high[1]) - std::floor(low[1]) + 4;
    if (!(cols * rows <= window_size)) {
      out.kind = TileView::direct;
      return;
    }
    out.kind = TileView::window;
    out.col0 = static_cast<int32_t>(std::floor(low[0])) - 1;
    out.row0 = static_cast<int32_t>(std::floor(low[1])) - 1;
    out.cols = static_cast<int32_t>(cols);
    out.rows = static_cast<int32_t>(rows);
    const double middle[3] = {static_cast<double>(first[0]) + 0.5 * (side - 1),
                              static_cast<double>(first[1]) + 0.5 * (side - 1),
                              static_cast<double>(first[2]) + 0.5 * (depth - 1)};
    const double w = task.cone != 0 ? at_index(map.w, middle[2], middle[1], middle[0]) : 1.0;
    const double col = at_index(map.u, middle[2], middle[1], middle[0]) / w;
    const double row = at_index(map.v, middle[2], middle[1], middle[0]) / w;
    out.col = static_cast<float>(col - out.col0);
    out.row = static_cast<float>(row - out.row0);
    for (int a = 0; a < 3; ++a) {
      const double slope = task.cone != 0 ? map.w[a + 1] : 0.0;
      out.u[a] = static_cast<float>((map.u[a + 1] - col * slope) / w);
      out.v[a] = static_cast<float>((map.v[a + 1] - row * slope) / w);
      out.w[a] = static_cast<float>(slope / w);
    }
    const double ratio = map.axis_depth / w;
    out.weight = task.distance == DistanceMode::fdk && task.cone != 0 ? static_cast<float>(ratio * ratio) : 1.0f;
  }

  TL_HD void collect_window(const TileView& s, const float* pixels, Own& own, float x, float y) const {
    const float du = s.u[0] * x + s.u[1] * y, dv = s.v[0] * x + s.v[1] * y, dw = 1.0f + s.w[0] * x + s.w[1] * y;
    // If the depth does not change along z, one division serves the whole column.
    const bool upright = s.w[2] == 0.0f, weighted = task.distance == DistanceMode::fdk && task.cone != 0;
    float q = task.cone != 0 ? 1.0f / dw : 1.0f;
    // Unrolled without an early exit, so that the sums stay in registers.
#pragma unroll
    for (int n = 0; n < depth; ++n) {
      if (own.k + n >= task.nz) continue;
      const float z = static_cast<float>(n) - 0.5f * (depth - 1);
      if (!upright) q = 1.0f / (dw + s.w[2] * z);
      const float col = s.col + q * (du + s.u[2] * z), row = s.row + q * (dv + s.v[2] * z);
      const auto c = static_cast<int32_t>(col), r = static_cast<int32_t>(row);  // both are positive in the window
      const float fc = col - static_cast<float>(c), fr = row - static_cast<float>(r);
      const float* p = pixels + r * s.cols + c;
      const float top = p[0] + fc * (p[1] - p[0]), bottom = p[s.cols] + fc * (p[s.cols + 1] - p[s.cols]);
      const float value = top + fr * (bottom - top);
      own.sums[n] += weighted ? s.weight * q * q * value : value;
    }
  }

  TL_HD void collect_direct(int64_t view, Own& own) const {
    const Stored* data = projections + view * task.rows * task.cols;
    const float scale = scales == nullptr ? 1.0f : scales[view];
#pragma unroll
    for (int n = 0; n < depth; ++n) {
      if (own.k + n >= task.nz) continue;
      const ProjectedVoxel at = project_voxel(task, task.maps[view], static_cast<double>(own.k + n),
                                              static_cast<double>(own.j), static_cast<double>(own.i));
      if (!at.inside) continue;
      const Taps<float> t = taps<float>(task, at);
      for (int c = 0; c < 4; ++c) own.sums[n] += t.weight[c] * scale * to_float(data[t.index[c]]);
    }
  }
};

}  // namespace tl::ops
