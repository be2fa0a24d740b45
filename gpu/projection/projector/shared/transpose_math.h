// The transpose of the Joseph projector as a gather, one call per voxel: no two threads write to the same voxel, so
// that the order of summation is fixed.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/projection/back_projector/shared/math.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// The pixels of a view whose rays can touch a voxel.
struct PixelBox {
  int64_t row_begin, row_end, col_begin, col_end;
};

// A ray contributes to a voxel if it passes through the square of the voxel's neighbours in a slice across its main
// axis. `main` is that axis, or -1 if the rays near the voxel have different ones.
TL_HD inline PixelBox pixels_around(const ProjectTask& task, const ViewMap& map, const double* at, int32_t main) {
  constexpr double slack = 1e-6;  // rounding of a detector position [pixels]
  const double w = task.cone != 0 ? at_index(map.w, at[2], at[1], at[0]) : 1.0, inverse = 1.0 / w;
  const double landing[2] = {at_index(map.v, at[2], at[1], at[0]) * inverse,
                             at_index(map.u, at[2], at[1], at[0]) * inverse};
  // A point of the square at offset d has depth w + s.d, and lies (e.d) / (w + s.d) pixels from the landing.
  double reach[2] = {0, 0}, nearest = std::fabs(w);
  for (int32_t axis = 0; axis < 3; ++axis) {
    if (axis == main) continue;
    const double slope = task.cone != 0 ? map.w[axis + 1] : 0.0;
    reach[0] += std::fabs(map.v[axis + 1] - landing[0] * slope);
    reach[1] += std::fabs(map.u[axis + 1] - landing[1] * slope);
    nearest -= std::fabs(slope);
  }
  // A ray is an infinite line, so that positions behind the source are valid too; close to the source every ray may
  // cross the voxel.
  if (!(nearest > 0)) return {0, task.rows, 0, task.cols};
  const double size[2] = {static_cast<double>(task.rows), static_cast<double>(task.cols)};
  int64_t bounds[4];
  for (int a = 0; a < 2; ++a) {
    const double most = reach[a] / nearest + slack;
    const double first = std::ceil(landing[a] - most), last = std::floor(landing[a] + most);
    const bool none = !(last >= 0 && first < size[a]);
    bounds[2 * a] = none || first < 0 ? 0 : static_cast<int64_t>(first);
    bounds[2 * a + 1] = none ? 0 : static_cast<int64_t>(last < size[a] - 1 ? last : size[a] - 1) + 1;
  }
  return {bounds[0], bounds[1], bounds[2], bounds[3]};
}

// A value along the main axis of a ray, and along the two others in the order of Ray: without an index known only when
// the program runs, which would put the values into a GPU's slow local memory.
struct Across {
  double main, a, b;
};
TL_HD inline Across across(int32_t main, const double* v) {
  return {main == 0 ? v[0] : (main == 1 ? v[1] : v[2]), main == 0 ? v[1] : v[0], main == 2 ? v[1] : v[2]};
}
TL_HD inline int32_t longest(const double* v) {
  const double x = std::fabs(v[0]), y = std::fabs(v[1]), z = std::fabs(v[2]);
  const int32_t main = y > x ? 1 : 0;
  return z > (main == 1 ? y : x) ? 2 : main;
}
TL_HD inline double length_per_slice(const ProjectTask& task, const double* direction, double inverse) {
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double mm = direction[axis] * task.voxel[axis];
    square += mm * mm;
  }
  return std::sqrt(square) * std::fabs(inverse);
}

// The weight in a ray's sample of a voxel that is `a` and `b` voxels away from the ray in that slice: as from
// ray_taps().
template <class T>
TL_HD inline double weight_of_neighbour(double a, double b, double length) {
  return static_cast<double>(static_cast<T>(length * (1.0 - std::fabs(b)) * (1.0 - std::fabs(a))));
}

// The rays of one view of a parallel beam. They have one direction, so that their distance from a voxel is an affine
// function of row and column.
template <class T>
class ParallelRays {
 public:
  TL_HD ParallelRays(const ProjectTask& task, const RayFan& fan) : main_(longest(fan.beam)) {
    const Across beam = across(main_, fan.beam);
    const double inverse = 1.0 / beam.main;
    slope_a_ = beam.a * inverse;
    slope_b_ = beam.b * inverse;
    length_ = length_per_slice(task, fan.beam, inverse);
    corner_ = moved(fan.corner);
    col_ = moved(fan.along_col);
    row_ = moved(fan.along_row);
  }
  TL_HD double collect(const ProjectTask& task, const ViewMap& map, const T* data, const double* at) const {
    const PixelBox box = pixels_around(task, map, at, main_);
    const Across voxel = moved(at);
    double sum = 0;
    for (int64_t row = box.row_begin; row < box.row_end; ++row)
      for (int64_t col = box.col_begin; col < box.col_end; ++col) {
        const auto r = static_cast<double>(row), c = static_cast<double>(col);
        const double a = corner_.a - voxel.a + c * col_.a + r * row_.a,
                     b = corner_.b - voxel.b + c * col_.b + r * row_.b;
        if (std::fabs(a) < 1 && std::fabs(b) < 1)
          sum += weight_of_neighbour<T>(a, b, length_) * static_cast<double>(data[row * task.cols + col]);
      }
    return sum;
  }

 private:
  // Along the beam to slice 0 of the main axis.
  TL_HD Across moved(const double* v) const {
    const Across p = across(main_, v);
    return {0, p.a - slope_a_ * p.main, p.b - slope_b_ * p.main};
  }

  int32_t main_;
  double slope_a_, slope_b_, length_;
  Across corner_, col_, row_;
};

template <class T>
TL_HD inline double collect_cone_rays(const ProjectTask& task, const RayFan& fan, const ViewMap& map, const T* data,
                                      const double* at) {
  const double from_source[3] = {at[0] - fan.beam[0], at[1] - fan.beam[1], at[2] - fan.beam[2]};
  // Rays near the voxel differ from this one by less than a voxel along axes other than the main one.
  int32_t main = longest(from_source);
  const Across there = across(main, from_source);
  if (!(std::fabs(there.main) > std::fabs(there.a) + 1 && std::fabs(there.main) > std::fabs(there.b) + 1)) main = -1;
  const PixelBox box = pixels_around(task, map, at, main);
  double sum = 0;
  for (int64_t row = box.row_begin; row < box.row_end; ++row)
    for (int64_t col = box.col_begin; col < box.col_end; ++col) {
      double direction[3];
      for (int axis = 0; axis < 3; ++axis)
        direction[axis] = fan.corner[axis] + static_cast<double>(col) * fan.along_col[axis] +
                          static_cast<double>(row) * fan.along_row[axis] - fan.beam[axis];
      const int32_t own_main = longest(direction);
      const Across ray = across(own_main, direction), voxel = across(own_main, from_source);
      const double inverse = 1.0 / ray.main, travelled = voxel.main * inverse;
      const double a = travelled * ray.a - voxel.a, b = travelled * ray.b - voxel.b;
      if (std::fabs(a) < 1 && std::fabs(b) < 1)
        sum += weight_of_neighbour<T>(a, b, length_per_slice(task, direction, inverse)) *
               static_cast<double>(data[row * task.cols + col]);
    }
  return sum;
}

// For `column` voxels at a time along z, one call per index 0 ... count()-1, in any order.
template <class T>
struct CollectRays {
  static constexpr int column = 4;

  ProjectTask task;
  const ViewMap* maps;   // one per view, for the same grid
  const T* projections;  // [view, row, col]
  T* volume;             // [z, y, x]

  [[nodiscard]] int64_t count() const { return task.size[0] * task.size[1] * ((task.size[2] + column - 1) / column); }
  TL_HD void operator()(int64_t index) const {
    const int64_t i = index % task.size[0], j = index / task.size[0] % task.size[1];
    const int64_t first = index / task.size[0] / task.size[1] * column;
    double sums[column] = {};
    for (int64_t view = 0; view < task.views; ++view) {
      const T* data = projections + view * task.rows * task.cols;
      const RayFan& fan = task.fans[view];
      double at[3] = {static_cast<double>(i), static_cast<double>(j), static_cast<double>(first)};
      if (task.cone != 0) {
#pragma unroll
        for (int n = 0; n < column; ++n, at[2] += 1) sums[n] += collect_cone_rays(task, fan, maps[view], data, at);
      } else {
        const ParallelRays<T> rays(task, fan);
#pragma unroll
        for (int n = 0; n < column; ++n, at[2] += 1) sums[n] += rays.collect(task, maps[view], data, at);
      }
    }
#pragma unroll
    for (int n = 0; n < column; ++n)
      if (first + n < task.size[2])
        volume[((first + n) * task.size[1] + j) * task.size[0] + i] = static_cast<T>(sums[n]);
  }
};

}  // namespace tl::ops
