// One voxel's contribution to the back-projector's gradient with respect to a view's map, shared by all devices.
#pragma once

#include <cstdint>

#include "gpu/operator/bilinear_slopes.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// Sums over voxels: derivatives with respect to (u, v, w) times (1, i, j, k), and with respect to axis_depth.
struct MapGradient {
  static constexpr int width = 13;
  double sum[width];

  TL_HD void clear() {
    for (double& s : sum) s = 0;
  }
  TL_HD void add(double du, double dv, double dw, double i, double j, double k) {
    const double with[3] = {du, dv, dw}, moment[4] = {1, i, j, k};
    for (int f = 0; f < 3; ++f)
      for (int m = 0; m < 4; ++m) sum[4 * f + m] += with[f] * moment[m];
  }
};

// Adds the contribution of voxel (i, j, k), whose weight is `value`; `view` is one view of the projections.
template <class T>
TL_HD inline void add_voxel(const BackProjectTask& task, const ViewMap& map, const T* view, double value, double i,
                            double j, double k, MapGradient& out) {
  const ProjectedVoxel at = project_voxel(task, map, k, j, i);
  if (!at.inside) return;
  const auto pixel = [&](int64_t row, int64_t col) {
    if (row < 0 || col < 0 || row >= task.rows || col >= task.cols) return 0.0;
    return static_cast<double>(view[row * task.cols + col]);
  };
  const BilinearSlopes local = bilinear_slopes(pixel, at.row, at.col);
  const double inverse = task.cone != 0 ? 1 / at_index(map.w, k, j, i) : 1.0;
  const double scale = value * at.weight;
  const double du = scale * local.along_x * inverse, dv = scale * local.along_y * inverse;
  double dw = 0;
  if (task.cone != 0) {
    dw = -(du * at.col + dv * at.row);
    if (task.distance == DistanceMode::fdk) {
      dw -= 2 * scale * local.value * inverse;
      out.sum[12] += 2 * scale * local.value / map.axis_depth;
    }
  }
  out.add(du, dv, dw, i, j, k);
}

// Partial sums [view, chunk, 13]: chunk c of a view sums the voxels c, c + chunks, c + 2 chunks...
template <class T>
struct BackProjectSlopes {
  BackProjectTask task;
  const T* projections;  // [view, row, col]
  const T* volume;       // [z, y, x]
  int64_t chunks;
  double* partial;

  TL_HD void operator()(int64_t index) const {
    const int64_t view = index / chunks, voxels = task.nx * task.ny * task.nz;
    const T* data = projections + view * task.rows * task.cols;
    MapGradient g;
    g.clear();
    for (int64_t n = index % chunks; n < voxels; n += chunks) {
      const int64_t line = n / task.nx, slice = line / task.ny;
      add_voxel(task, task.maps[view], data, static_cast<double>(volume[n]), static_cast<double>(n % task.nx),
                static_cast<double>(line % task.ny), static_cast<double>(slice), g);
    }
    for (int s = 0; s < MapGradient::width; ++s) partial[index * MapGradient::width + s] = g.sum[s];
  }
};

}  // namespace tl::ops
