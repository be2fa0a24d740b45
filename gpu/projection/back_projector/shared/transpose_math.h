// The transpose of the back-projector as a gather, one call per detector pixel: no two threads write to the same pixel,
// so that the order of summation is fixed.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// The voxels that can reach a pixel lie in the tube of rays within one pixel of it: in each slice of the tube's main
// axis, a box bounded by the four rays at the tube's edges. Axes 0 = x, 1 = y, 2 = z.
struct PixelTube {
  int main, a, b;
  bool whole;                                       // the box is the whole slice
  double at_a[4], slope_a[4], at_b[4], slope_b[4];  // for each edge: index along a, b in slice 0, and per slice
};

// Rows of the linear equations u - col w = 0 and v - row w = 0 in voxel indices: constant, x, y, z.
TL_HD inline void ray_equations(const BackProjectTask& task, const ViewMap& map, double row, double col, double* e,
                                double* f) {
  for (int c = 0; c < 4; ++c) {
    const double w = task.cone != 0 ? map.w[c] : (c == 0 ? 1.0 : 0.0);
    e[c] = map.u[c] - col * w;
    f[c] = map.v[c] - row * w;
  }
}

TL_HD inline PixelTube pixel_tube(const BackProjectTask& task, const ViewMap& map, int64_t row, int64_t col) {
  PixelTube t{};
  double e[4], f[4];
  ray_equations(task, map, static_cast<double>(row), static_cast<double>(col), e, f);
  const double d[3] = {e[2] * f[3] - e[3] * f[2], e[3] * f[1] - e[1] * f[3], e[1] * f[2] - e[2] * f[1]};
  for (int axis = 1; axis < 3; ++axis)
    if (std::fabs(d[axis]) > std::fabs(d[t.main])) t.main = axis;
  t.a = t.main == 0 ? 1 : 0;
  t.b = t.main == 2 ? 1 : 2;
  const int m = t.main + 1, a = t.a + 1, b = t.b + 1;
  const double middle = e[a] * f[b] - e[b] * f[a];
  for (int n = 0; n < 4; ++n) {
    ray_equations(task, map, static_cast<double>(row) + (n < 2 ? -1.0 : 1.0),
                  static_cast<double>(col) + (n % 2 == 0 ? -1.0 : 1.0), e, f);
    const double determinant = e[a] * f[b] - e[b] * f[a];
    // An edge almost parallel to the slices gives no bounds: for such coarse pixels every voxel of a slice is tested.
    if (!(determinant * middle > 0.01 * middle * middle)) t.whole = true;
    t.at_a[n] = (e[b] * f[0] - e[0] * f[b]) / determinant;
    t.slope_a[n] = (e[b] * f[m] - e[m] * f[b]) / determinant;
    t.at_b[n] = (e[0] * f[a] - e[a] * f[0]) / determinant;
    t.slope_b[n] = (e[m] * f[a] - e[a] * f[m]) / determinant;
  }
  return t;
}

// Indices begin <= n < end between the smallest and the largest of four edge positions.
struct IndexSpan {
  int64_t begin, end;
};
TL_HD inline IndexSpan span_of(const double* at, const double* slope, double slice, int64_t size) {
  constexpr double slack = 1e-6;  // rounding of a position [voxels]
  double low = at[0] + slope[0] * slice, high = low;
  for (int n = 1; n < 4; ++n) {
    const double p = at[n] + slope[n] * slice;
    if (p < low) low = p;
    if (p > high) high = p;
  }
  if (!(high + slack >= 0) || !(low - slack <= static_cast<double>(size - 1))) return {0, 0};
  const double first = std::ceil(low - slack), last = std::floor(high + slack);
  return {first > 0 ? static_cast<int64_t>(first) : 0,
          last < static_cast<double>(size - 1) ? static_cast<int64_t>(last) + 1 : size};
}

// The weight of pixel (row, col) for a landing, identical to the weight in Taps.
template <class T>
TL_HD inline double tap_weight(const BackProjectTask& task, const ProjectedVoxel& at, int64_t row, int64_t col) {
  const double c = std::floor(at.col), r = std::floor(at.row);
  const double dc = static_cast<double>(col) - c, dr = static_cast<double>(row) - r;
  if (!((dc == 0 || dc == 1) && (dr == 0 || dr == 1))) return 0;
  const Taps<T> t = taps<T>(task, at);
  return static_cast<double>(t.weight[(dr == 1 ? 2 : 0) + (dc == 1 ? 1 : 0)]);
}

template <class T>
struct BackProjectPixel {
  BackProjectTask task;
  const T* volume;  // [z, y, x]
  T* projections;   // [view, row, col]

  TL_HD void operator()(int64_t index) const {
    const int64_t col = index % task.cols, row = index / task.cols % task.rows;
    const ViewMap& map = task.maps[index / task.cols / task.rows];
    const PixelTube tube = pixel_tube(task, map, row, col);
    const int64_t size[3] = {task.nx, task.ny, task.nz};
    double sum = 0;
    int64_t at[3];
    for (at[tube.main] = 0; at[tube.main] < size[tube.main]; ++at[tube.main]) {
      const auto slice = static_cast<double>(at[tube.main]);
      const IndexSpan whole_a{0, size[tube.a]}, whole_b{0, size[tube.b]};
      const IndexSpan sa = tube.whole ? whole_a : span_of(tube.at_a, tube.slope_a, slice, size[tube.a]);
      const IndexSpan sb = tube.whole ? whole_b : span_of(tube.at_b, tube.slope_b, slice, size[tube.b]);
      for (at[tube.b] = sb.begin; at[tube.b] < sb.end; ++at[tube.b])
        for (at[tube.a] = sa.begin; at[tube.a] < sa.end; ++at[tube.a]) {
          const ProjectedVoxel landing = project_voxel(task, map, static_cast<double>(at[2]),
                                                       static_cast<double>(at[1]), static_cast<double>(at[0]));
          if (!landing.inside) continue;
          const double weight = tap_weight<T>(task, landing, row, col);
          if (weight != 0) sum += weight * static_cast<double>(volume[(at[2] * task.ny + at[1]) * task.nx + at[0]]);
        }
    }
    projections[index] = static_cast<T>(sum);
  }
};

}  // namespace tl::ops
