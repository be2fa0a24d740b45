// The transpose of the Joseph projector as a gather, one call per voxel: no two threads write to the same voxel, so the
// order of summation is fixed.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/projection/back_projector/math.h"
#include "gpu/projection/projector/math.h"

namespace tl::ops {

// The pixels of a view whose rays can touch a voxel: those around the projections of the voxel's eight neighbours.
struct PixelBox {
  int64_t row_begin, row_end, col_begin, col_end;
};

TL_HD inline PixelBox pixels_around(const ProjectTask& task, const ViewMap& map, double k, double j, double i) {
  constexpr double slack = 1e-6;  // rounding of a detector position [pixels]
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  // A ray is an infinite line, so positions behind the source are valid too.
  const double middle = task.cone != 0 ? at_index(map.w, k, j, i) : 1.0;
  for (int corner = 0; corner < 8; ++corner) {
    const double x = i + ((corner & 1) != 0 ? 1 : -1), y = j + ((corner & 2) != 0 ? 1 : -1),
                 z = k + ((corner & 4) != 0 ? 1 : -1);
    const double w = task.cone != 0 ? at_index(map.w, z, y, x) : 1.0;
    if (!(w * middle > 0)) return {0, task.rows, 0, task.cols};  // some corner is beside the source: any ray
    const double at[2] = {at_index(map.v, z, y, x) / w, at_index(map.u, z, y, x) / w};
    for (int a = 0; a < 2; ++a) {
      if (at[a] < low[a]) low[a] = at[a];
      if (at[a] > high[a]) high[a] = at[a];
    }
  }
  const double size[2] = {static_cast<double>(task.rows), static_cast<double>(task.cols)};
  int64_t bounds[4];
  for (int a = 0; a < 2; ++a) {
    const double first = std::ceil(low[a] - slack), last = std::floor(high[a] + slack);
    const bool none = !(last >= 0 && first < size[a]);
    bounds[2 * a] = none || first < 0 ? 0 : static_cast<int64_t>(first);
    bounds[2 * a + 1] = none ? 0 : static_cast<int64_t>(last < size[a] - 1 ? last : size[a] - 1) + 1;
  }
  return {bounds[0], bounds[1], bounds[2], bounds[3]};
}

// The weight of voxel `at` in the ray's sample in that slice, identical to the weight from ray_taps().
template <class T>
TL_HD inline double sample_weight(const Ray& ray, const int64_t* at) {
  const auto n = static_cast<double>(at[ray.main]);
  const double a = ray.slope_a * n + ray.offset_a, b = ray.slope_b * n + ray.offset_b;
  const double a0 = std::floor(a), b0 = std::floor(b);
  const double da = static_cast<double>(at[ray.a]) - a0, db = static_cast<double>(at[ray.b]) - b0;
  if (!((da == 0 || da == 1) && (db == 0 || db == 1))) return 0;
  const double wa = da == 0 ? 1.0 - (a - a0) : a - a0;
  const double wb = ray.length * (db == 0 ? 1.0 - (b - b0) : b - b0);
  return static_cast<double>(static_cast<T>(wb * wa));
}

template <class T>
struct CollectRays {
  ProjectTask task;
  const ViewMap* maps;   // one per view, of the same grid
  const T* projections;  // [view, row, col]
  T* volume;             // [z, y, x]

  TL_HD void operator()(int64_t index) const {
    const int64_t at[3] = {index % task.size[0], index / task.size[0] % task.size[1],
                           index / task.size[0] / task.size[1]};
    double sum = 0;
    for (int64_t view = 0; view < task.views; ++view) {
      const PixelBox box = pixels_around(task, maps[view], static_cast<double>(at[2]), static_cast<double>(at[1]),
                                         static_cast<double>(at[0]));
      const T* data = projections + view * task.rows * task.cols;
      for (int64_t row = box.row_begin; row < box.row_end; ++row)
        for (int64_t col = box.col_begin; col < box.col_end; ++col) {
          const double weight = sample_weight<T>(make_ray(task, task.fans[view], row, col), at);
          if (weight != 0) sum += weight * static_cast<double>(data[row * task.cols + col]);
        }
    }
    volume[index] = static_cast<T>(sum);
  }
};

}  // namespace tl::ops
