// Contribution of one ray to the gradient of the projector with respect to its view's vectors, shared by all devices.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/operator/bilinear_slopes.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// Derivatives of the loss with respect to a ray's point and direction, in voxel indices.
struct RayGradient {
  double point[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
};

// d(loss)/d(slope, offset, length) of one ray, summed over its slices.
struct LineGradient {
  double slope_a = 0, offset_a = 0, slope_b = 0, offset_b = 0, length = 0;
};

template <class T>
TL_HD inline LineGradient along_ray(const ProjectTask& task, const VoxelBox& box, const Ray& ray, const T* volume,
                                    double weight) {
  LineGradient g;
  const SliceRange range = slices(ray, box);
  for (int64_t n = range.begin; n < range.end; ++n) {
    const auto sample = [&](int64_t b, int64_t a) {
      if (a < 0 || b < 0 || a >= task.size[ray.a] || b >= task.size[ray.b]) return 0.0;
      return static_cast<double>(volume[n * task.stride[ray.main] + a * task.stride[ray.a] + b * task.stride[ray.b]]);
    };
    const auto at = static_cast<double>(n);
    const BilinearSlopes local =
        bilinear_slopes(sample, ray.slope_b * at + ray.offset_b, ray.slope_a * at + ray.offset_a);
    const double da = weight * ray.length * local.along_x, db = weight * ray.length * local.along_y;
    g.offset_a += da;
    g.slope_a += da * at;
    g.offset_b += db;
    g.slope_b += db * at;
    g.length += weight * local.value;
  }
  return g;
}

// offset = point_a - slope point_main, slope = direction_a / direction_main, length = |direction| / |direction_main|.
TL_HD inline RayGradient through_ray(const ProjectTask& task, const Ray& ray, const LineGradient& line) {
  RayGradient g;
  const double inverse = 1 / ray.direction[ray.main];
  const auto other = [&](int32_t axis, double slope, double d_slope, double d_offset) {
    const double total = d_slope - d_offset * ray.point[ray.main];
    g.point[axis] += d_offset;
    g.point[ray.main] -= slope * d_offset;
    g.direction[axis] += total * inverse;
    g.direction[ray.main] -= total * slope * inverse;
  };
  other(ray.a, ray.slope_a, line.slope_a, line.offset_a);
  other(ray.b, ray.slope_b, line.slope_b, line.offset_b);
  double square = 0;
  for (int axis = 0; axis < 3; ++axis)
    square += ray.direction[axis] * ray.direction[axis] * task.voxel[axis] * task.voxel[axis];
  for (int axis = 0; axis < 3; ++axis)
    g.direction[axis] += line.length * ray.length * ray.direction[axis] * task.voxel[axis] * task.voxel[axis] / square;
  g.direction[ray.main] -= line.length * ray.length * inverse;
  return g;
}

// Sums over the pixels of a view, in voxel indices: derivatives with respect to the beam, and to the pixel position
// times 1, (col - col0) and -(row - row0).
struct ViewGradient {
  static constexpr int width = 12;
  double sum[width];

  TL_HD void clear() {
    for (double& s : sum) s = 0;
  }
};

template <class T>
TL_HD inline void add_pixel(const ProjectTask& task, const VoxelBox& box, const RayFan& fan, int64_t row, int64_t col,
                            const T* volume, double value, ViewGradient& out) {
  const Ray ray = make_ray(task, fan, row, col);
  const RayGradient g = through_ray(task, ray, along_ray(task, box, ray, volume, value));
  const double across = static_cast<double>(col) - 0.5 * static_cast<double>(task.cols - 1);
  const double down = static_cast<double>(row) - 0.5 * static_cast<double>(task.rows - 1);
  for (int a = 0; a < 3; ++a) {
    const double pixel = task.cone != 0 ? g.direction[a] : g.point[a];
    out.sum[a] += task.cone != 0 ? g.point[a] - g.direction[a] : g.direction[a];
    out.sum[3 + a] += pixel;
    out.sum[6 + a] += across * pixel;
    out.sum[9 + a] -= down * pixel;
  }
}

// Partial sums [view, chunk, 12]: chunk c of a view sums the pixels c, c + chunks, c + 2 chunks...
template <class T>
struct ProjectSlopes {
  ProjectTask task;
  VoxelBox box;
  const T* volume;       // [z, y, x]
  const T* projections;  // [view, row, col]
  int64_t chunks;
  double* partial;

  TL_HD void operator()(int64_t index) const {
    const int64_t view = index / chunks, pixels = task.rows * task.cols;
    ViewGradient g;
    g.clear();
    for (int64_t n = index % chunks; n < pixels; n += chunks)
      add_pixel(task, box, task.fans[view], n / task.cols, n % task.cols, volume,
                static_cast<double>(projections[view * pixels + n]), g);
    for (int s = 0; s < ViewGradient::width; ++s) partial[index * ViewGradient::width + s] = g.sum[s];
  }
};

}  // namespace tl::ops
