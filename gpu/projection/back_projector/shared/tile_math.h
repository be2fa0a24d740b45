// Back-projection on a GPU: for a tile of voxels, the detector window that it needs is staged in shared memory, several
// views per pass.
//
// The interpolation is exact to float32, whereas a texture unit has fractions of only eight bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/device/half.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// A view as needed by one tile. For a voxel at offset d from the tile's middle [voxels] and q = 1 / (1 + w.d), the
// position in the window is (col + q u.d, row + q v.d), and the distance weight is `weight` q^2.
struct alignas(16) TileView {
  enum Kind : int32_t { misses, window, direct };
  Kind kind;
  int32_t row0, col0, rows, cols;  // the window: detector pixels, zeros beyond the detector
  float col, row, u[3], v[3], w[3], weight;
  uint32_t origin;  // index of the window's first pixel, minus that of the bits of row 0 and column 0: see Split
};

// A position as integer pixel and fraction of the next pixel, without converting number types, which GPUs do slowly:
// between 2^23 and 2^24, the floats are exactly the integers. `at` lies between 1 and 2^22; at the centre of a pixel
// the integer may be that of the previous pixel, with fraction 1.
struct Split {
  uint32_t bits;  // bits of the integer part; `zero` are the bits for 0
  float share;
  static constexpr uint32_t zero = 0x4b000000u;
};
TL_HD inline Split split(float at) {
  const float shifted = at + 8388607.5f;
  return {float_bits(shifted), at - (shifted - 8388608.0f)};
}

// To 2^-22 of itself.
TL_HD inline float reciprocal(float v) {
#if defined(__CUDA_ARCH__)
  return __fdividef(1.0f, v);
#else
  return 1.0f / v;
#endif
}

// A thread block is 16 x 16 x 8 voxels; each thread handles a column of eight. Positions are computed in double for the
// middle of a tile and in float within it. A tile reads the views directly if its window is too large for shared memory
// or if it reaches behind the source.
template <class Stored>
struct BackProjectTile {
  static constexpr int side = 16, depth = 8, threads = side * side, warp = 32;
  static constexpr int views_at_once = threads / warp, window_size = 1024, blocks_together = 4;
  struct Shared {
    TileView view[views_at_once];
    float pixels[views_at_once][window_size];
  };
  struct Own {
    float sums[depth];
    int32_t i, j, k;  // index of the column's first voxel
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
    own.i = static_cast<int32_t>(block % across * side) + thread % side;
    own.j = static_cast<int32_t>(block / across % down * side) + thread / side;
    own.k = static_cast<int32_t>(block / across / down * depth);
#pragma unroll
    for (int z = 0; z < depth; ++z) own.sums[z] = 0;
  }

  TL_HD void plan(Shared& shared, const Own& own, int64_t pass, int thread) const {
    if (thread >= views_at_once) return;
    const int64_t view = pass * views_at_once + thread;
    TileView& out = shared.view[thread];
    out.kind = TileView::misses;
    if (view < task.views) look(task.maps[view], {own.i - thread, own.j, own.k}, out);
  }

  // One warp per view, so that each thread has several loads in flight.
  TL_HD void load(Shared& shared, int64_t pass, int thread) const {
    const int n = thread / warp, lane = thread % warp;
    const TileView s = shared.view[n];
    if (s.kind != TileView::window) return;
    float* pixels = shared.pixels[n];
    const int64_t view = pass * views_at_once + n;
    const auto rows = static_cast<int32_t>(task.rows), cols = static_cast<int32_t>(task.cols);
    const float scale = scales == nullptr ? 1.0f : scales[view];
    for (int32_t p = lane; p < s.cols; p += warp) {
      const int32_t col = s.col0 + p;
      const bool col_outside = col < 0 || col >= cols;
      const Stored* data = projections + (view * task.rows + s.row0) * task.cols + col;
#pragma unroll 4
      for (int32_t r = 0; r < s.rows; ++r) {
        const int32_t row = s.row0 + r;
        const bool inside_detector = !col_outside && row >= 0 && row < rows;
        pixels[r * s.cols + p] = inside_detector ? scale * to_float(data[static_cast<int64_t>(r) * cols]) : 0.0f;
      }
    }
  }

  TL_HD void collect(const Shared& shared, Own& own, int64_t pass, int thread) const {
    if (!inside(own)) return;
    const int column = thread % side, line = thread / side;
    const auto x = static_cast<float>(column) - 0.5f * (side - 1);
    const auto y = static_cast<float>(line) - 0.5f * (side - 1);
    for (int n = 0; n < views_at_once; ++n) {
      const TileView s = shared.view[n];
      if (s.kind == TileView::window)
        s.u[2] == 0.0f && s.w[2] == 0.0f ? collect_upright(s, shared.pixels[n], own, x, y)
                                         : collect_tilted(s, shared.pixels[n], own, x, y);
      else if (s.kind == TileView::direct)
        collect_direct(pass * views_at_once + n, own);
    }
  }

  TL_HD void finish(const Own& own, int /*thread*/) const {
    if (!inside(own)) return;
#pragma unroll
    for (int z = 0; z < depth; ++z)
      if (own.k + z < task.nz) volume[((own.k + z) * task.ny + own.j) * task.nx + own.i] = own.sums[z];
  }

 private:
  TL_HD bool inside(const Own& own) const { return own.i < task.nx && own.j < task.ny; }

  struct Voxel {
    int32_t i, j, k;
  };
  // Projects the tile's middle into a view in double, and its corners, relative to it, in float.
  TL_HD void look(const ViewMap& map, Voxel first, TileView& out) const {
    const double middle[3] = {first.i + 0.5 * (side - 1), first.j + 0.5 * (side - 1), first.k + 0.5 * (depth - 1)};
    const double w = task.cone != 0 ? at_index(map.w, middle[2], middle[1], middle[0]) : 1.0;
    if (!(w > 0)) {
      out.kind = TileView::direct;
      return;
    }
    const double inverse = 1.0 / w;
    const double col = at_index(map.u, middle[2], middle[1], middle[0]) * inverse;
    const double row = at_index(map.v, middle[2], middle[1], middle[0]) * inverse;
    for (int a = 0; a < 3; ++a) {
      const double slope = task.cone != 0 ? map.w[a + 1] : 0.0;
      out.u[a] = static_cast<float>((map.u[a + 1] - col * slope) * inverse);
      out.v[a] = static_cast<float>((map.v[a + 1] - row * slope) * inverse);
      out.w[a] = static_cast<float>(slope * inverse);
    }
    const float half[3] = {0.5f * (side - 1), 0.5f * (side - 1), 0.5f * (depth - 1)};
    float least[2] = {0, 0}, most[2] = {0, 0};  // smallest and largest corner position, relative to the middle [pixels]
#pragma unroll 1
    for (int corner = 0; corner < 8; ++corner) {
      const float d[3] = {(corner & 1) != 0 ? half[0] : -half[0], (corner & 2) != 0 ? half[1] : -half[1],
                          (corner & 4) != 0 ? half[2] : -half[2]};
      const float depth_there = 1.0f + out.w[0] * d[0] + out.w[1] * d[1] + out.w[2] * d[2];
      if (!(depth_there > 0)) {
        out.kind = TileView::direct;
        return;
      }
      const float q = 1.0f / depth_there;
      const float at[2] = {q * (out.u[0] * d[0] + out.u[1] * d[1] + out.u[2] * d[2]),
                           q * (out.v[0] * d[0] + out.v[1] * d[1] + out.v[2] * d[2])};
      for (int a = 0; a < 2; ++a) {
        if (at[a] < least[a]) least[a] = at[a];
        if (at[a] > most[a]) most[a] = at[a];
      }
    }
    const double low[2] = {col + least[0], row + least[1]}, high[2] = {col + most[0], row + most[1]};
    if (high[0] <= -1 || high[1] <= -1 || low[0] >= static_cast<double>(task.cols) ||
        low[1] >= static_cast<double>(task.rows))
      return;
    // One additional pixel on each side for rounding of positions within the tile, one more for the interpolation.
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
    out.origin = 0u - Split::zero * (static_cast<uint32_t>(out.cols) + 1u);
    out.col = static_cast<float>(col - out.col0);
    out.row = static_cast<float>(row - out.row0);
    const double ratio = map.axis_depth * inverse;
    out.weight = weighted() ? static_cast<float>(ratio * ratio) : 1.0f;
  }
  TL_HD bool weighted() const { return task.distance == DistanceMode::fdk && task.cone != 0; }

  // Both also collect voxels beyond the grid, and have no early exit, so that the sums stay in registers.

  // A column of voxels parallel to the detector's columns: it projects into one of them, at one depth.
  TL_HD void collect_upright(const TileView& s, const float* pixels, Own& own, float x, float y) const {
    const float q = task.cone != 0 ? reciprocal(1.0f + s.w[0] * x + s.w[1] * y) : 1.0f;
    const float weight = weighted() ? s.weight * q * q : 1.0f;
    const Split c = split(s.col + q * (s.u[0] * x + s.u[1] * y));
    const float middle = s.row + q * (s.v[0] * x + s.v[1] * y), step = q * s.v[2];
    const auto cols = static_cast<uint32_t>(s.cols);
    const uint32_t origin = s.origin + c.bits;
#pragma unroll
    for (int n = 0; n < depth; ++n) {
      const Split r = split(middle + step * (static_cast<float>(n) - 0.5f * (depth - 1)));
      own.sums[n] += weight * between(pixels + (r.bits * cols + origin), cols, c.share, r.share);
    }
  }
  TL_HD void collect_tilted(const TileView& s, const float* pixels, Own& own, float x, float y) const {
    const float du = s.u[0] * x + s.u[1] * y, dv = s.v[0] * x + s.v[1] * y, dw = 1.0f + s.w[0] * x + s.w[1] * y;
    const auto cols = static_cast<uint32_t>(s.cols);
#pragma unroll
    for (int n = 0; n < depth; ++n) {
      const float z = static_cast<float>(n) - 0.5f * (depth - 1);
      const float q = task.cone != 0 ? reciprocal(dw + s.w[2] * z) : 1.0f;
      const Split c = split(s.col + q * (du + s.u[2] * z)), r = split(s.row + q * (dv + s.v[2] * z));
      const float value = between(pixels + (r.bits * cols + (c.bits + s.origin)), cols, c.share, r.share);
      own.sums[n] += weighted() ? s.weight * q * q * value : value;
    }
  }
  TL_HD static float between(const float* top, uint32_t cols, float right, float down) {
    const float* bottom = top + cols;
    const float above = top[0] + right * (top[1] - top[0]), below = bottom[0] + right * (bottom[1] - bottom[0]);
    return above + down * (below - above);
  }

  // One voxel after the other: this case is rare, and registers are scarce.
  TL_HD void collect_direct(int64_t view, Own& own) const {
    const Stored* data = projections + view * task.rows * task.cols;
    const float scale = scales == nullptr ? 1.0f : scales[view];
#pragma unroll 1
    for (int n = 0; n < depth; ++n) {
      const ProjectedVoxel at = project_voxel(task, task.maps[view], static_cast<double>(own.k + n),
                                              static_cast<double>(own.j), static_cast<double>(own.i));
      if (!at.inside) continue;
      const Taps<float> t = taps<float>(task, at);
      float value = 0;
      for (int c = 0; c < 4; ++c) value += t.weight[c] * scale * to_float(data[t.index[c]]);
        // An index that is known only when the kernel runs would put the sums into local memory.
#pragma unroll
      for (int m = 0; m < depth; ++m)
        if (m == n) own.sums[m] += value;
    }
  }
};

}  // namespace tl::ops
