// Projects tiles of voxels in parallel beams without tilt, the inner loops of parallel_untilted: loops on vector types,
// compiled once per instruction set.
//
// The bodies are always inlined into functions with a target attribute, which selects AVX-512, AVX2 or plain code.
#include "gpu/projection/projector/cpu/lanes.h"

#include <algorithm>
#include <cmath>

#include "gpu/device/choose_variant.h"
#include "gpu/device/vector_lanes.h"
#include "gpu/projection/projector/cpu/lines.h"

namespace tl::ops {
namespace {

// The columns whose rays may cross the tile.
__attribute__((always_inline)) inline LineSpan columns_of(const UntiltedView& view, int64_t cols, int64_t n0,
                                                          int64_t n1, int64_t a0, int64_t a1) {
  const double first = view.slope * static_cast<double>(n0), last = view.slope * static_cast<double>(n1 - 1);
  const double low = static_cast<double>(a0 - 1) - std::max(first, last) - view.offset;
  const double high = static_cast<double>(a1) - std::min(first, last) - view.offset;
  const double c0 = std::min(low / view.step, high / view.step), c1 = std::max(low / view.step, high / view.step);
  const auto edge = static_cast<double>(cols);
  const double begin = std::min(std::max(std::ceil(c0 - line_slack), 0.0), edge);
  const double end = std::min(std::max(std::floor(c1 + line_slack) + 1, begin), edge);
  return {static_cast<int64_t>(begin), static_cast<int64_t>(end)};
}

// N vectors of lanes are kept in registers along a ray.
template <class T, int Bytes, int N>
__attribute__((always_inline)) inline void project_lanes(const UntiltedColumns<T>& columns,
                                                         const UntiltedTile<const T>& tile, int64_t lane0) {
  using Vector = typename VectorOf<T, Bytes>::type;
  constexpr int64_t width = width_of<T, Bytes>;
  int32_t index[max_tile_lines];
  T right[max_tile_lines];
  for (int64_t v = 0; v < columns.count; ++v) {
    const UntiltedView& view = columns.views[v];
    const int32_t main = view.main, other = 1 - main;
    const int64_t n0 = tile.begin[main], n1 = tile.end[main], a0 = tile.begin[other], a1 = tile.end[other];
    const auto step_n = static_cast<int32_t>(tile.stride[main]), step_a = static_cast<int32_t>(tile.stride[other]);
    const LineSpan touched = columns_of(view, columns.cols, n0, n1, a0, a1);
    for (int64_t c = touched.begin; c < touched.end; ++c) {
      const double position = view.offset + static_cast<double>(c) * view.step;
      const LineSpan lines = lines_of(position, view.slope, n0, n1, a0, a1);
      const auto count = static_cast<int32_t>(lines.end - lines.begin), first = static_cast<int32_t>(lines.begin - n0);
      const double start = position + view.slope * static_cast<double>(lines.begin) - static_cast<double>(a0);
      for (int32_t k = 0; k < count; ++k) {
        const double at = start + view.slope * static_cast<double>(k), low = std::floor(at);
        index[k] = static_cast<int32_t>(low) * step_a + (first + k) * step_n;
        right[k] = static_cast<T>(at - low);
      }
      Vector sum[N] = {};
      for (int32_t k = 0; k < count; ++k) {
        const T* low = tile.data + index[k] + lane0;
        const T* high = low + step_a;
        const T w1 = right[k], w0 = T(1) - w1;
        for (int n = 0; n < N; ++n) {
          sum[n] += w0 * *reinterpret_cast<const Vector*>(low + n * width);
          sum[n] += w1 * *reinterpret_cast<const Vector*>(high + n * width);
        }
      }
      T* out = columns.data + v * columns.view_stride + c * tile.lanes + lane0;
      for (int n = 0; n < N; ++n) *reinterpret_cast<Vector*>(out + n * width) += sum[n];
    }
  }
}

// Bytes: size of the widest vector of the instruction set.
template <int Bytes, class T>
__attribute__((always_inline)) inline void project_untilted_body(const UntiltedColumns<T>& columns,
                                                                 const UntiltedTile<const T>& tile) {
  constexpr int64_t wide = width_of<T, Bytes>;
  int64_t lane = 0;
  for (; lane + 4 * wide <= tile.lanes; lane += 4 * wide) project_lanes<T, Bytes, 4>(columns, tile, lane);
  for (; lane + wide <= tile.lanes; lane += wide) project_lanes<T, Bytes, 1>(columns, tile, lane);
  for (; lane < tile.lanes; lane += lane_unit<T>) project_lanes<T, 16, 1>(columns, tile, lane);
}

// Number of views processed together: the part of them used by neighbouring voxels stays in L1.
constexpr int64_t views_at_once = 16;

// Projection of a voxel into each of these views, one array per quantity so that views are vector lanes: column u + x
// u_x + y u_y, the first column whose rays cross the voxel, and the weights from that column on.
template <class T, int Taps>
struct LevelLandings {
  double u[views_at_once], u_x[views_at_once], u_y[views_at_once], slope[views_at_once], reach[views_at_once];
  int32_t first[views_at_once];
  T weight[Taps][views_at_once];

  __attribute__((always_inline)) inline void load(const UntiltedView* views, int64_t count) {
    for (int64_t v = 0; v < views_at_once; ++v) {
      const UntiltedView& view = views[std::min(v, count - 1)];
      u[v] = view.u;
      u_x[v] = view.u_x;
      u_y[v] = view.u_y;
      slope[v] = std::fabs(view.step);
      reach[v] = 1 / slope[v];
    }
  }
  __attribute__((always_inline)) inline void land(double x, double y, double edge) {
    for (int64_t v = 0; v < views_at_once; ++v) {
      const double column = u[v] + u_x[v] * x + u_y[v] * y;
      const double low = std::min(std::max(std::floor(column - reach[v]) + 1, -static_cast<double>(Taps)), edge);
      first[v] = static_cast<int32_t>(low);
      for (int k = 0; k < Taps; ++k)
        weight[k][v] = static_cast<T>(std::max(0.0, 1 - std::fabs(low + k - column) * slope[v]));
    }
  }
};

template <class T, int Bytes, int N, int Taps>
__attribute__((always_inline)) inline void collect_lanes(const UntiltedColumns<const T>& columns,
                                                         const UntiltedTile<T>& tile, int64_t lane0) {
  using Vector = typename VectorOf<T, Bytes>::type;
  constexpr int64_t width = width_of<T, Bytes>;
  const auto edge = static_cast<double>(columns.cols);
  LevelLandings<T, Taps> at;
  for (int64_t v0 = 0; v0 < columns.count; v0 += views_at_once) {
    const int64_t count = std::min(views_at_once, columns.count - v0);
    at.load(columns.views + v0, count);
    for (int64_t y = tile.begin[1]; y < tile.end[1]; ++y)
      for (int64_t x = tile.begin[0]; x < tile.end[0]; ++x) {
        at.land(static_cast<double>(x), static_cast<double>(y), edge);
        T* out = tile.data + (y - tile.begin[1]) * tile.stride[1] + (x - tile.begin[0]) * tile.stride[0] + lane0;
        Vector sum[N];
        for (int n = 0; n < N; ++n) sum[n] = *reinterpret_cast<const Vector*>(out + n * width);
        const T* data = columns.data + v0 * columns.view_stride + lane0;
        for (int64_t v = 0; v < count; ++v, data += columns.view_stride) {
          const T* from = data + at.first[v] * tile.lanes;
          for (int k = 0; k < Taps; ++k, from += tile.lanes)
            for (int n = 0; n < N; ++n) sum[n] += at.weight[k][v] * *reinterpret_cast<const Vector*>(from + n * width);
        }
        for (int n = 0; n < N; ++n) *reinterpret_cast<Vector*>(out + n * width) = sum[n];
      }
  }
}

template <int Bytes, int Taps, class T>
__attribute__((always_inline)) inline void collect_taps(const UntiltedColumns<const T>& columns,
                                                        const UntiltedTile<T>& tile) {
  constexpr int64_t wide = width_of<T, Bytes>;
  int64_t lane = 0;
  for (; lane + 4 * wide <= tile.lanes; lane += 4 * wide) collect_lanes<T, Bytes, 4, Taps>(columns, tile, lane);
  for (; lane + wide <= tile.lanes; lane += wide) collect_lanes<T, Bytes, 1, Taps>(columns, tile, lane);
  for (; lane < tile.lanes; lane += lane_unit<T>) collect_lanes<T, 16, 1, Taps>(columns, tile, lane);
}

template <int Bytes, class T>
__attribute__((always_inline)) inline void collect_untilted_body(const UntiltedColumns<const T>& columns, int64_t taps,
                                                                 const UntiltedTile<T>& tile) {
  if (taps <= 2)
    collect_taps<Bytes, 2>(columns, tile);
  else if (taps <= 4)
    collect_taps<Bytes, 4>(columns, tile);
  else
    collect_taps<Bytes, 8>(columns, tile);
}

}  // namespace

template <class T>
void project_untilted_tile(const UntiltedColumns<T>& columns, const UntiltedTile<const T>& tile) {
  return Variants<project_untilted_body<64, T>, project_untilted_body<32, T>, project_untilted_body<16, T>>::of(
      best_cpu_variant())(columns, tile);
}
template <class T>
void collect_untilted_tile(const UntiltedColumns<const T>& columns, int64_t taps, const UntiltedTile<T>& tile) {
  return Variants<collect_untilted_body<64, T>, collect_untilted_body<32, T>, collect_untilted_body<16, T>>::of(
      best_cpu_variant())(columns, taps, tile);
}
template void project_untilted_tile(const UntiltedColumns<float>&, const UntiltedTile<const float>&);
template void project_untilted_tile(const UntiltedColumns<double>&, const UntiltedTile<const double>&);
template void collect_untilted_tile(const UntiltedColumns<const float>&, int64_t, const UntiltedTile<float>&);
template void collect_untilted_tile(const UntiltedColumns<const double>&, int64_t, const UntiltedTile<double>&);

}  // namespace tl::ops
