// Arithmetic of the ray-driven Joseph projector shared by CPU, CUDA and tests: a ray in voxel indices, and its samples.
//
// Joseph 1982: a ray is sampled once in every slice across its main axis (the one along which its voxel index grows
// fastest), bilinearly within the slice; each sample represents the length of the ray between two slices.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl {

// The rays of one view in voxel indices (0 = x, 1 = y, 2 = z): pixel (row, col) lies at corner + col * along_col + row
// * along_row; beam is the source (cone) or the direction of travel (parallel).
struct RayFan {
  double corner[3], along_col[3], along_row[3], beam[3];
};

// Parameters of one projection as plain values.
struct ProjectTask {
  const RayFan* fans;  // one per view, in the memory of the device that runs the task
  int64_t views, rows, cols;
  int64_t size[3];    // voxels along x, y, z
  int64_t stride[3];  // of the volume's memory
  double voxel[3];    // length of a voxel step [mm]
  int32_t cone;
};

// Voxels begin <= index < end along each axis; voxels outside count as 0.
struct VoxelBox {
  int64_t begin[3], end[3];
};

TL_HD inline VoxelBox whole_box(const ProjectTask& task) {
  return {{0, 0, 0}, {task.size[0], task.size[1], task.size[2]}};
}

// A ray in slice n of its main axis lies at index slope * n + offset along the two other axes. point and direction are
// in voxel indices, towards the detector.
struct Ray {
  double point[3], direction[3];
  double slope_a, offset_a, slope_b, offset_b;
  double length;  // of ray per slice [mm]
  int32_t main, a, b;
};

TL_HD inline Ray make_ray(const ProjectTask& task, const RayFan& fan, int64_t row, int64_t col) {
  Ray ray{};
  double square = 0;
  int32_t main = 0;
  for (int32_t axis = 0; axis < 3; ++axis) {
    const double pixel = fan.corner[axis] + static_cast<double>(col) * fan.along_col[axis] +
                         static_cast<double>(row) * fan.along_row[axis];
    ray.point[axis] = task.cone != 0 ? fan.beam[axis] : pixel;
    ray.direction[axis] = task.cone != 0 ? pixel - fan.beam[axis] : fan.beam[axis];
    const double mm = ray.direction[axis] * task.voxel[axis];
    square += mm * mm;
    if (std::fabs(ray.direction[axis]) > std::fabs(ray.direction[main])) main = axis;
  }
  ray.main = main;
  ray.a = main == 0 ? 1 : 0;
  ray.b = main == 2 ? 1 : 2;
  const double inverse = 1.0 / ray.direction[main];
  ray.slope_a = ray.direction[ray.a] * inverse;
  ray.slope_b = ray.direction[ray.b] * inverse;
  ray.offset_a = ray.point[ray.a] - ray.slope_a * ray.point[main];
  ray.offset_b = ray.point[ray.b] - ray.slope_b * ray.point[main];
  ray.length = std::sqrt(square) * std::fabs(inverse);
  return ray;
}

// Narrows [first, last] to the slices where low < slope * n + offset < high.
TL_HD inline void clip(double slope, double offset, double low, double high, double& first, double& last) {
  if (slope == 0) {
    if (!(offset > low && offset < high)) last = first - 1;
    return;
  }
  double enter = (low - offset) / slope, leave = (high - offset) / slope;
  if (enter > leave) {
    const double swap = enter;
    enter = leave;
    leave = swap;
  }
  if (enter > first) first = enter;
  if (leave < last) last = leave;
}

// The slices begin <= n < end in which a ray touches voxels of the box; may include one extra slice on either side.
struct SliceRange {
  int64_t begin, end;
};

TL_HD inline SliceRange slices(const Ray& ray, const VoxelBox& box) {
  double first = static_cast<double>(box.begin[ray.main]), last = static_cast<double>(box.end[ray.main] - 1);
  clip(ray.slope_a, ray.offset_a, static_cast<double>(box.begin[ray.a] - 1), static_cast<double>(box.end[ray.a]), first,
       last);
  clip(ray.slope_b, ray.offset_b, static_cast<double>(box.begin[ray.b] - 1), static_cast<double>(box.end[ray.b]), first,
       last);
  if (!(first <= last)) return {0, 0};
  const auto begin = static_cast<int64_t>(std::floor(first)), end = static_cast<int64_t>(std::ceil(last)) + 1;
  return {begin < box.begin[ray.main] ? box.begin[ray.main] : begin, end > box.end[ray.main] ? box.end[ray.main] : end};
}

// The four voxels around a ray in slice n, as offsets into the volume, and their bilinear weights times the ray's
// length per slice. Voxels outside the box have weight 0 and the offset of an existing voxel.
template <class T>
struct RayTaps {
  int64_t offset[4];
  T weight[4];
};

template <class T>
TL_HD inline RayTaps<T> ray_taps(const ProjectTask& task, const VoxelBox& box, const Ray& ray, int64_t n) {
  const double a = ray.slope_a * static_cast<double>(n) + ray.offset_a;
  const double b = ray.slope_b * static_cast<double>(n) + ray.offset_b;
  const double a0 = std::floor(a), b0 = std::floor(b);
  const auto ia = static_cast<int64_t>(a0), ib = static_cast<int64_t>(b0);
  const bool low_a = ia >= box.begin[ray.a] && ia < box.end[ray.a];
  const bool high_a = ia + 1 >= box.begin[ray.a] && ia + 1 < box.end[ray.a];
  const bool low_b = ib >= box.begin[ray.b] && ib < box.end[ray.b];
  const bool high_b = ib + 1 >= box.begin[ray.b] && ib + 1 < box.end[ray.b];
  const double fa = a - a0, fb = b - b0;
  const double wa0 = low_a ? 1.0 - fa : 0.0, wa1 = high_a ? fa : 0.0;
  const double wb0 = low_b ? ray.length * (1.0 - fb) : 0.0, wb1 = high_b ? ray.length * fb : 0.0;
  const int64_t home_a = box.begin[ray.a], home_b = box.begin[ray.b];
  const int64_t oa0 = (low_a ? ia : home_a) * task.stride[ray.a], oa1 = (high_a ? ia + 1 : home_a) * task.stride[ray.a];
  const int64_t base = n * task.stride[ray.main];
  const int64_t ob0 = base + (low_b ? ib : home_b) * task.stride[ray.b];
  const int64_t ob1 = base + (high_b ? ib + 1 : home_b) * task.stride[ray.b];
  return {{ob0 + oa0, ob0 + oa1, ob1 + oa0, ob1 + oa1},
          {static_cast<T>(wb0 * wa0), static_cast<T>(wb0 * wa1), static_cast<T>(wb1 * wa0), static_cast<T>(wb1 * wa1)}};
}

// Computes the projection of one pixel; a whole scan is one call per index 0 ... views*rows*cols-1, in any order.
template <class T>
struct ProjectRay {
  ProjectTask task;
  VoxelBox box;
  const T* volume;  // [z, y, x]
  T* projections;   // [view, row, col]

  TL_HD void operator()(int64_t index) const {
    const int64_t col = index % task.cols, row = index / task.cols % task.rows, view = index / task.cols / task.rows;
    const Ray ray = make_ray(task, task.fans[view], row, col);
    const SliceRange range = slices(ray, box);
    double sum = 0;
    for (int64_t n = range.begin; n < range.end; ++n) {
      const RayTaps<T> t = ray_taps<T>(task, box, ray, n);
      for (int c = 0; c < 4; ++c) sum += static_cast<double>(t.weight[c]) * static_cast<double>(volume[t.offset[c]]);
    }
    projections[index] = static_cast<T>(sum);
  }
};

}  // namespace tl
