// Sums views for tiles of voxel columns, the inner loops of the back-projection by voxel columns: loops on vector
// types, compiled once per instruction set.
//
// The bodies are always inlined into functions with a target attribute, which selects AVX-512, AVX2 or plain code.
#include "gpu/projection/back_projector/cpu/lanes.h"

#include <algorithm>
#include <cmath>

#include "gpu/device/choose_variant.h"
#include "gpu/device/vector_lanes.h"

namespace tl::ops {
namespace {

using Vector16 = VectorOf<float, 64>::type;
using Vector8 = VectorOf<float, 32>::type;
using Vector4 = VectorOf<float, 16>::type;

constexpr int64_t max_views = 64;  // processed between two accesses to the sums

// Projection of one voxel column into each view of a group.
struct Landings {
  int32_t offset[max_views];  // offset of the left detector column in the view's copy, in columns
  float left[max_views], right[max_views];
};

// Positions in double, so that weights are accurate to the last bit of a float.
__attribute__((always_inline)) inline void land_group(const BackProjectTask& task, const ColumnCopy& copy, double j,
                                                      double i, Landings& at) {
  const ViewMap* maps = task.maps + copy.first_view;
  const auto edge = static_cast<double>(task.cols);
  for (int64_t v = 0; v < copy.views; ++v) {
    const double* u = maps[v].u;
    const double col = std::min(std::max(u[0] + u[1] * i + u[2] * j, -1.0), edge);
    const double low = std::floor(col);
    at.offset[v] = static_cast<int32_t>(low) + 1;
    at.right[v] = static_cast<float>(col - low);
    at.left[v] = 1.0f - at.right[v];
  }
}

// N vectors of lanes are kept in registers over all views of the group.
template <class Vector, int N>
__attribute__((always_inline)) inline void fixed_lanes(const BackProjectTask& task, const ColumnCopy& copy,
                                                       const ColumnTile& tile, int64_t lane0) {
  constexpr int64_t width = sizeof(Vector) / sizeof(float);
  const int64_t view_size = (task.cols + column_padding) * copy.lanes;
  Landings at;
  float* sums = tile.sums + lane0;
  for (int64_t j = tile.j0; j < tile.j1; ++j)
    for (int64_t i = tile.i0; i < tile.i1; ++i, sums += tile.stride) {
      land_group(task, copy, static_cast<double>(j), static_cast<double>(i), at);
      Vector sum[N] = {};
      const float* view = copy.data + lane0;
      for (int64_t v = 0; v < copy.views; ++v, view += view_size) {
        const float* a = view + at.offset[v] * copy.lanes;
        const float* b = a + copy.lanes;
        for (int n = 0; n < N; ++n)
          sum[n] += at.left[v] * *reinterpret_cast<const Vector*>(a + n * width) +
                    at.right[v] * *reinterpret_cast<const Vector*>(b + n * width);
      }
      for (int n = 0; n < N; ++n) *reinterpret_cast<Vector*>(sums + n * width) += sum[n];
    }
}

// N: number of vectors that fit the registers.
template <class Vector, int N>
__attribute__((always_inline)) inline void fixed_body(const BackProjectTask& task, const ColumnCopy& copy,
                                                      const ColumnTile& tile) {
  constexpr int64_t width = sizeof(Vector) / sizeof(float);
  for (int64_t v = 0; v < copy.views; v += max_views) {
    const ColumnCopy part{copy.data + v * (task.cols + column_padding) * copy.lanes, copy.first_view + v,
                          std::min(max_views, copy.views - v), copy.lanes};
    int64_t lane = 0;
    for (; lane + N * width <= copy.lanes; lane += N * width) fixed_lanes<Vector, N>(task, part, tile, lane);
    for (; lane + width <= copy.lanes; lane += width) fixed_lanes<Vector, 1>(task, part, tile, lane);
    for (; lane < copy.lanes; lane += 4) fixed_lanes<Vector4, 1>(task, part, tile, lane);
  }
}

// Adds one view to one voxel column: the two detector columns are interpolated once, then the loop runs along z.
__attribute__((always_inline)) inline void walk(const BackProjectTask& task, const ColumnCopy& copy, const float* view,
                                                const ProjectedVoxel& at, double first, double step, int64_t slices,
                                                float* line, float* sums) {
  const double low_col = std::floor(at.col);
  const auto right = static_cast<float>(at.weight * (at.col - low_col));
  const auto left = static_cast<float>(at.weight) - right;
  const float* a = view + (static_cast<int64_t>(low_col) + 1) * copy.lanes;
  const float* b = a + copy.lanes;
  const auto edge = static_cast<double>(task.rows);
  const double last = first + step * static_cast<double>(slices - 1);
  const double low = std::max(std::min(first, last), -1.0), high = std::min(std::max(first, last), edge);
  const bool on_detector = low < edge && high > -1.0;
  if (!on_detector) return;
  // line[r + 1] is row r; rows -1, rows and rows + 1 stay 0.
  const int64_t begin = std::max<int64_t>(0, static_cast<int64_t>(std::floor(low)));
  const int64_t end = std::min(task.rows, static_cast<int64_t>(std::floor(high)) + 2);
  for (int64_t r = begin; r < end; ++r) line[r + 1] = left * a[r] + right * b[r];
  constexpr int64_t block = 64;
  int32_t index[block];
  float fraction[block];
  for (int64_t k0 = 0; k0 < slices; k0 += block) {
    const int64_t n = std::min(block, slices - k0);
    for (int64_t k = 0; k < n; ++k) {
      const double row =
          std::min(std::max(first + step * static_cast<double>(static_cast<int32_t>(k0 + k)), -1.0), edge);
      const double below = std::floor(row);
      index[k] = static_cast<int32_t>(below) + 1;
      fraction[k] = static_cast<float>(row - below);
    }
    for (int64_t k = 0; k < n; ++k) {
      const float* s = line + index[k];
      sums[k0 + k] += s[0] + fraction[k] * (s[1] - s[0]);
    }
  }
}

__attribute__((always_inline)) inline void moving_body(const BackProjectTask& task, const ColumnCopy& copy,
                                                       const ColumnTile& tile, int64_t k0, int64_t slices,
                                                       float* line) {
  const int64_t view_size = (task.cols + column_padding) * copy.lanes;
  for (int64_t v = 0; v < copy.views; ++v) {
    const ViewMap& map = task.maps[copy.first_view + v];
    const float* view = copy.data + v * view_size;
    float* sums = tile.sums;
    for (int64_t j = tile.j0; j < tile.j1; ++j)
      for (int64_t i = tile.i0; i < tile.i1; ++i, sums += tile.stride) {
        const auto x = static_cast<double>(i), y = static_cast<double>(j);
        const double w = at_index(map.w, 0, y, x), inverse = 1.0 / w;
        ProjectedVoxel at{at_index(map.u, 0, y, x) * inverse, at_index(map.v, static_cast<double>(k0), y, x) * inverse,
                          1.0, w > 0};
        const bool on_detector = at.inside && at.col > -1.0 && at.col < static_cast<double>(task.cols);
        if (!on_detector) continue;
        const double ratio = map.axis_depth * inverse;
        if (task.distance == DistanceMode::fdk) at.weight = ratio * ratio;
        walk(task, copy, view, at, at.row, map.v[3] * inverse, slices, line, sums);
      }
  }
}

}  // namespace

void add_fixed_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile) {
  return Variants<fixed_body<Vector16, 4>, fixed_body<Vector8, 8>, fixed_body<Vector4, 8>>::of(best_cpu_variant())(
      task, copy, tile);
}

void add_moving_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile, int64_t k0,
                     int64_t slices, float* line) {
  return Variants<moving_body>::of(best_cpu_variant())(task, copy, tile, k0, slices, line);
}

}  // namespace tl::ops
