// Projects tiles of voxels in cone beams without tilt, the inner loops of cone_untilted: loops on vector types,
// compiled once per instruction set.
//
// A vector of W rows of a detector column touches fewer than 2 W voxels of a line along z: two contiguous loads and a
// permutation replace a gather, in both directions.
#include "gpu/projection/projector/cpu/cone_untilted_lanes.h"

#include <algorithm>
#include <cmath>

#include "gpu/device/choose_variant.h"
#include "gpu/device/vector_lanes.h"
#include "gpu/projection/projector/cpu/lines.h"

namespace tl::ops {
namespace {

template <int W>
struct Vector;
template <>
struct Vector<16> {
  using Integers = int32_t __attribute__((vector_size(64)));
  static constexpr VectorOf<float, 64>::type lane_number = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};
template <>
struct Vector<8> {
  using Integers = int32_t __attribute__((vector_size(32)));
  static constexpr VectorOf<float, 32>::type lane_number = {0, 1, 2, 3, 4, 5, 6, 7};
};
template <int W>
using FloatsOf = typename VectorOf<float, 4 * W>::type;
template <int W>
using IntegersOf = typename Vector<W>::Integers;

template <int W>
__attribute__((always_inline)) inline const FloatsOf<W>& at(const float* p) {
  return *reinterpret_cast<const FloatsOf<W>*>(p);
}
template <int W>
__attribute__((always_inline)) inline FloatsOf<W>& at(float* p) {
  return *reinterpret_cast<FloatsOf<W>*>(p);
}

// Positions of the lanes: start + lane * step. As a single float, the error of a position is its last bit, 1e-6 at the
// far lanes, and projection and transpose would differ by as much; beyond() computes the fraction including the
// low-order bits.
template <int W>
struct LanePositions {
  FloatsOf<W> position;
  __attribute__((always_inline)) inline LanePositions(double from, double per_lane)
      : start(static_cast<float>(from)),
        step(static_cast<float>(per_lane)),
        start_rest(static_cast<float>(from - static_cast<double>(start))),
        step_rest(static_cast<float>(per_lane - static_cast<double>(step))) {
    position = start + step * Vector<W>::lane_number;
  }
  __attribute__((always_inline)) inline FloatsOf<W> beyond(const FloatsOf<W>& whole) const {
    return (start - whole) + step * Vector<W>::lane_number + (step_rest * Vector<W>::lane_number + start_rest);
  }

 private:
  float start, step, start_rest, step_rest;
};

enum class Lookup { permute, memory };

// 2 W numbers indexed by lanes. Indices out of range have zero weights and may return any of the numbers.
template <int W, Lookup L>
struct Table {
  FloatsOf<W> low, high;
  __attribute__((always_inline)) inline FloatsOf<W> operator[](const IntegersOf<W>& index) const {
#if __has_builtin(__builtin_shuffle)
    if constexpr (L == Lookup::permute) return __builtin_shuffle(low, high, index);
#endif
    float all[2 * W];
    at<W>(all) = low;
    at<W>(all + W) = high;
    FloatsOf<W> out;
    for (int n = 0; n < W; ++n) out[n] = all[index[n] & (2 * W - 1)];
    return out;
  }
};

// The columns whose rays may cross the tile: those onto which its corners project, or all if a corner has no
// projection.
__attribute__((always_inline)) inline LineSpan columns_of(const ProjectTask& task, const RayFan& fan,
                                                          const int64_t* begin, const int64_t* end) {
  const auto cross = [](double ax, double ay, double bx, double by) { return ax * by - ay * bx; };
  double low = static_cast<double>(task.cols), high = -1;
  double sign = 0;
  for (int corner = 0; corner < 4; ++corner) {
    const auto x = static_cast<double>((corner & 1) == 0 ? begin[0] - 1 : end[0]);
    const auto y = static_cast<double>((corner & 2) == 0 ? begin[1] - 1 : end[1]);
    const double rx = task.cone != 0 ? x - fan.beam[0] : fan.beam[0];
    const double ry = task.cone != 0 ? y - fan.beam[1] : fan.beam[1];
    const double across = cross(fan.along_col[0], fan.along_col[1], rx, ry);
    if (across == 0 || across * sign < 0) return {0, task.cols};
    sign = across;
    const double col = cross(x - fan.corner[0], y - fan.corner[1], rx, ry) / across;
    low = std::min(low, col);
    high = std::max(high, col);
  }
  const auto edge = static_cast<double>(task.cols);
  const double first = std::min(std::max(std::floor(low), 0.0), edge);
  const double last = std::min(std::max(std::ceil(high) + 1, first), edge);
  return {static_cast<int64_t>(first), static_cast<int64_t>(last)};
}

// One detector column in one tile: where its rays cross the lines, and the height of its rows there.
struct Crossing {
  int32_t count;
  int32_t index[max_tile_lines];                  // of the voxel below, as an offset in floats
  float right[max_tile_lines];                    // weight of the next voxel
  double z[max_tile_lines], row[max_tile_lines];  // height of row 0, and its change per row
};

template <class T>
__attribute__((always_inline)) inline void cross_tile(const ConeColumnRays& track, const ConeTile<T>& tile,
                                                      Crossing& out) {
  const int32_t main = track.main, other = 1 - main;
  const int64_t n0 = tile.begin[main], a0 = tile.begin[other];
  const LineSpan lines = lines_of(track.offset, track.slope, n0, tile.end[main], a0, tile.end[other]);
  const auto step_n = static_cast<int32_t>(tile.stride[main]), step_a = static_cast<int32_t>(tile.stride[other]);
  const auto first = static_cast<int32_t>(lines.begin - n0);
  out.count = static_cast<int32_t>(lines.end - lines.begin);
  for (int32_t k = 0; k < out.count; ++k) {
    const auto n = static_cast<double>(static_cast<int32_t>(lines.begin) + k);
    const double position = track.offset + track.slope * n - static_cast<double>(static_cast<int32_t>(a0));
    const double low = std::floor(position);
    out.index[k] = static_cast<int32_t>(low) * step_a + (first + k) * step_n;
    out.right[k] = static_cast<float>(position - low);
    out.z[k] = track.z0 + track.z1 * n;
    out.row[k] = track.row0 + track.row1 * n;
  }
}

// Rows whose rays lie between two heights in some line of a crossing, as blocks of `width` rows counted from the
// group's first row.
__attribute__((always_inline)) inline LineSpan row_blocks(const Crossing& c, double low, double high, int64_t first_row,
                                                          int64_t rows, int64_t width) {
  double begin = static_cast<double>(rows), end = -1;
  for (const int32_t k : {0, c.count - 1}) {
    const double a = (low - c.z[k]) / c.row[k], b = (high - c.z[k]) / c.row[k];
    begin = std::min(begin, std::min(a, b) - static_cast<double>(first_row));
    end = std::max(end, std::max(a, b) - static_cast<double>(first_row));
  }
  const int64_t groups = (rows + width - 1) / width;
  const auto edge = static_cast<double>(groups);
  const double first = std::min(std::max(std::floor(begin / width), 0.0), edge);
  const double last = std::min(std::max(std::floor(end / width) + 1, first), edge);
  return {static_cast<int64_t>(first), static_cast<int64_t>(last)};
}

template <int W, Lookup L>
__attribute__((always_inline)) inline void project_body(const ProjectTask& task, const ConeColumns<float>& columns,
                                                        const ConeTile<const float>& tile) {
  const auto z_begin = static_cast<double>(tile.begin[2]), z_end = static_cast<double>(tile.end[2]);
  Crossing c;
  for (int64_t v = 0; v < columns.views; ++v) {
    const LineSpan touched = columns_of(task, columns.fans[v], tile.begin, tile.end);
    for (int64_t col = touched.begin; col < touched.end; ++col) {
      const ConeColumnRays track = cone_column_rays(task, columns.fans[v], col);
      cross_tile(track, tile, c);
      if (c.count == 0) continue;
      const int64_t step_a = tile.stride[1 - track.main];
      const LineSpan blocks = row_blocks(c, z_begin - 1, z_end, columns.first_row, columns.rows, W);
      float* out = columns.data + v * columns.view_stride + col * columns.col_stride;
      for (int64_t block = blocks.begin; block < blocks.end; ++block) {
        const auto row = static_cast<double>(columns.first_row + block * W);
        FloatsOf<W> sum = {};
        for (int32_t k = 0; k < c.count; ++k) {
          const double z = c.z[k] + c.row[k] * row, lowest = std::min(z, z + (W - 1) * c.row[k]);
          if (!(lowest < z_end && lowest > z_begin - cone_column_padding)) continue;
          const double base = std::floor(lowest);
          const LanePositions<W> places(z - base, c.row[k]);
          const IntegersOf<W> index = __builtin_convertvector(places.position, IntegersOf<W>);
          const FloatsOf<W> share = places.beyond(__builtin_convertvector(index, FloatsOf<W>));
          const float* below = tile.data + c.index[k] + static_cast<int64_t>(base - z_begin);
          const float* next = below + step_a;
          const float w1 = c.right[k], w0 = 1.0f - w1;
          const Table<W, L> line{w0 * at<W>(below) + w1 * at<W>(next), w0 * at<W>(below + W) + w1 * at<W>(next + W)};
          const FloatsOf<W> low = line[index], high = line[index + 1];
          sum += low + share * (high - low);
        }
        at<W>(out + block * W) += sum;
      }
    }
  }
}

// The contribution of the rows of one column to W voxels along z in one line.
template <int W, Lookup L, int Taps>
__attribute__((always_inline)) inline FloatsOf<W> collect_rows(const float* rows, double row, double per_z) {
  const double lowest = std::min(row, row + (W - 1) * per_z);
  const auto reach = static_cast<float>(std::fabs(per_z)), slope = static_cast<float>(1 / std::fabs(per_z));
  const double base = std::floor(lowest - std::fabs(per_z));
  const LanePositions<W> places(row - base, per_z);
  // The first row that contributes to a voxel: beyond position - reach, which is not negative.
  IntegersOf<W> first = __builtin_convertvector(places.position - reach, IntegersOf<W>) + 1;
  const float* from = rows + static_cast<int64_t>(base);
  const Table<W, L> line{at<W>(from), at<W>(from + W)};
  FloatsOf<W> sum = {};
  FloatsOf<W> distance = -places.beyond(__builtin_convertvector(first, FloatsOf<W>)) * slope;
  for (int k = 0; k < Taps; ++k) {
    const FloatsOf<W> away = distance < 0 ? -distance : distance;
    const FloatsOf<W> weight = 1.0f - away;
    sum += (weight > 0 ? weight : FloatsOf<W>{}) * line[first];
    first += 1;
    distance += slope;
  }
  return sum;
}

template <int W, Lookup L>
__attribute__((always_inline)) inline void collect_body(const ProjectTask& task,
                                                        const ConeColumns<const float>& columns,
                                                        const ConeTile<float>& tile) {
  const auto z_begin = static_cast<double>(tile.begin[2]);
  const int64_t blocks = (tile.end[2] - tile.begin[2]) / W;
  const auto last_row = static_cast<double>(columns.first_row + columns.rows);
  Crossing c;
  for (int64_t v = 0; v < columns.views; ++v) {
    const LineSpan touched = columns_of(task, columns.fans[v], tile.begin, tile.end);
    for (int64_t col = touched.begin; col < touched.end; ++col) {
      const ConeColumnRays track = cone_column_rays(task, columns.fans[v], col);
      cross_tile(track, tile, c);
      const int64_t step_a = tile.stride[1 - track.main];
      const float* rows = columns.data + v * columns.view_stride + col * columns.col_stride - columns.first_row;
      for (int32_t k = 0; k < c.count; ++k) {
        const double per_z = 1 / c.row[k], start = (z_begin - c.z[k]) * per_z, reach = std::fabs(per_z);
        const float w1 = c.right[k], w0 = 1.0f - w1;
        float* to = tile.data + c.index[k];
        for (int64_t block = 0; block < blocks; ++block, to += W) {
          const double row = start + static_cast<double>(block * W) * per_z;
          const double lowest = std::min(row, row + (W - 1) * per_z) - reach;
          if (!(lowest < last_row && lowest > static_cast<double>(columns.first_row - cone_column_padding))) continue;
          const FloatsOf<W> value =
              reach <= 1 ? collect_rows<W, L, 2>(rows, row, per_z) : collect_rows<W, L, 4>(rows, row, per_z);
          at<W>(to) += w0 * value;
          at<W>(to + step_a) += w1 * value;
        }
      }
    }
  }
}

TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
void project_avx512(const ProjectTask& task, const ConeColumns<float>& columns, const ConeTile<const float>& tile) {
  project_body<16, Lookup::permute>(task, columns, tile);
}
TL_TARGET("avx2,fma")
void project_avx2(const ProjectTask& task, const ConeColumns<float>& columns, const ConeTile<const float>& tile) {
  project_body<8, Lookup::permute>(task, columns, tile);
}
void project_plain(const ProjectTask& task, const ConeColumns<float>& columns, const ConeTile<const float>& tile) {
  project_body<8, Lookup::memory>(task, columns, tile);
}
TL_TARGET("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
void collect_avx512(const ProjectTask& task, const ConeColumns<const float>& columns, const ConeTile<float>& tile) {
  collect_body<16, Lookup::permute>(task, columns, tile);
}
TL_TARGET("avx2,fma")
void collect_avx2(const ProjectTask& task, const ConeColumns<const float>& columns, const ConeTile<float>& tile) {
  collect_body<8, Lookup::permute>(task, columns, tile);
}
void collect_plain(const ProjectTask& task, const ConeColumns<const float>& columns, const ConeTile<float>& tile) {
  collect_body<8, Lookup::memory>(task, columns, tile);
}

}  // namespace

ConeColumnRays cone_column_rays(const ProjectTask& task, const RayFan& fan, int64_t col) {
  const auto c = static_cast<double>(col);
  double point[2], direction[2];
  for (int axis = 0; axis < 2; ++axis) {
    const double pixel = fan.corner[axis] + c * fan.along_col[axis];
    point[axis] = task.cone != 0 ? fan.beam[axis] : pixel;
    direction[axis] = task.cone != 0 ? pixel - fan.beam[axis] : fan.beam[axis];
  }
  ConeColumnRays track{};
  track.main = std::fabs(direction[1]) > std::fabs(direction[0]) ? 1 : 0;
  const int32_t other = 1 - track.main;
  const double inverse = 1 / direction[track.main];
  track.slope = direction[other] * inverse;
  track.offset = point[other] - track.slope * point[track.main];
  track.z1 = (task.cone != 0 ? fan.corner[2] - fan.beam[2] : fan.beam[2]) * inverse;
  track.z0 = (task.cone != 0 ? fan.beam[2] : fan.corner[2]) - track.z1 * point[track.main];
  track.row1 = task.cone != 0 ? fan.along_row[2] * inverse : 0;
  track.row0 = task.cone != 0 ? -track.row1 * point[track.main] : fan.along_row[2];
  return track;
}

void project_cone_tile(const ProjectTask& task, const ConeColumns<float>& columns, const ConeTile<const float>& tile) {
  return choose_variant(project_avx512, project_avx2, project_plain)(task, columns, tile);
}

void collect_cone_tile(const ProjectTask& task, const ConeColumns<const float>& columns, const ConeTile<float>& tile) {
  return choose_variant(collect_avx512, collect_avx2, collect_plain)(task, columns, tile);
}

}  // namespace tl::ops
