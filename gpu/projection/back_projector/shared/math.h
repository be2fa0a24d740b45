// Arithmetic of the voxel-driven back-projector for CPU, CUDA and tests: detector positions and voxel weights.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl {

// Maps voxel indices to detector positions in one view: three affine functions of the voxel index, c[0] + c[1] i + c[2]
// j + c[3] k. Column = u / w, row = v / w (pixel centres 0 ... n-1). w is the depth of the voxel divided by that of the
// detector, both from the source along the detector normal; in a parallel beam w is 1 everywhere.
struct ViewMap {
  double u[4], v[4], w[4];
  double axis_depth;  // w at the object's origin, through which the rotation axis passes
};

enum class DistanceMode : int32_t { none, fdk };

// Parameters of one back-projection as plain values; kernels need nothing else.
struct BackProjectTask {
  const ViewMap* maps;  // one per view, in the memory of the device that runs the task
  int64_t views, rows, cols;
  int64_t nz, ny, nx;
  DistanceMode distance;
  int32_t cone;  // 0: parallel beam, w is 1 and division is skipped
};

// The projection of a voxel into a view: fractional detector position and distance weight. inside: within one pixel of
// some pixel centre.
struct ProjectedVoxel {
  double col, row, weight;
  bool inside;
};

TL_HD inline double at_index(const double* c, double k, double j, double i) {
  return c[0] + c[1] * i + c[2] * j + c[3] * k;
}

TL_HD inline ProjectedVoxel project_voxel(const BackProjectTask& task, const ViewMap& map, double k, double j,
                                          double i) {
  ProjectedVoxel at{at_index(map.u, k, j, i), at_index(map.v, k, j, i), 1.0, true};
  if (task.cone != 0) {
    const double w = at_index(map.w, k, j, i);
    const double inverse = 1.0 / w;
    at.col *= inverse;
    at.row *= inverse;
    const double ratio = map.axis_depth * inverse;
    if (task.distance == DistanceMode::fdk) at.weight = ratio * ratio;
    at.inside = w > 0;  // nothing behind the source contributes
  }
  at.inside = at.inside && at.col > -1.0 && at.col < static_cast<double>(task.cols) && at.row > -1.0 &&
              at.row < static_cast<double>(task.rows);
  return at;
}

// The four pixels around a projected point inside the detector and their bilinear weights, including the distance
// weight. Pixels beyond the edge count as 0: their weight is 0 and their index is that of an existing pixel.
template <class T>
struct Taps {
  int64_t index[4];
  T weight[4];
};

template <class T>
TL_HD inline Taps<T> taps(const BackProjectTask& task, const ProjectedVoxel& at) {
  const double col = std::floor(at.col), row = std::floor(at.row);
  const auto c = static_cast<int64_t>(col), r = static_cast<int64_t>(row);
  const double fc = at.col - col, fr = at.row - row;
  const bool left = c >= 0, right = c + 1 < task.cols, top = r >= 0, bottom = r + 1 < task.rows;
  const double wl = left ? 1.0 - fc : 0.0, wr = right ? fc : 0.0;
  const double wt = top ? at.weight * (1.0 - fr) : 0.0, wb = bottom ? at.weight * fr : 0.0;
  const int64_t cl = left ? c : 0, cr = right ? c + 1 : task.cols - 1;
  const int64_t rt = (top ? r : 0) * task.cols, rb = (bottom ? r + 1 : task.rows - 1) * task.cols;
  return {{rt + cl, rt + cr, rb + cl, rb + cr},
          {static_cast<T>(wt * wl), static_cast<T>(wt * wr), static_cast<T>(wb * wl), static_cast<T>(wb * wr)}};
}

// Value of a view at a landing, times the distance weight; 0 outside.
template <class T>
TL_HD inline T gather(const BackProjectTask& task, const T* view, const ProjectedVoxel& at) {
  if (!at.inside) return T(0);
  const Taps<T> t = taps<T>(task, at);
  return t.weight[0] * view[t.index[0]] + t.weight[1] * view[t.index[1]] + t.weight[2] * view[t.index[2]] +
         t.weight[3] * view[t.index[3]];
}

// Back-projects one voxel; the whole volume is one call per index 0 ... nz*ny*nx-1, in any order.
template <class T>
struct BackProjectVoxel {
  BackProjectTask task;
  const T* projections;  // [view, row, col]
  T* volume;             // [z, y, x]

  TL_HD void operator()(int64_t index) const {
    const auto i = static_cast<double>(index % task.nx);
    const auto j = static_cast<double>(index / task.nx % task.ny);
    const int64_t slice = index / task.nx / task.ny;
    const auto k = static_cast<double>(slice);
    double sum = 0;
    for (int64_t view = 0; view < task.views; ++view)
      sum += static_cast<double>(
          gather(task, projections + view * task.rows * task.cols, project_voxel(task, task.maps[view], k, j, i)));
    volume[index] = static_cast<T>(sum);
  }
};

}  // namespace tl
