// Gradient of the projector to its view vectors: slopes of the interpolated slices, then the chain rule through the
// ray's slopes, offsets and length to the pixel, the beam and the detector axes.
#include <ATen/Parallel.h>

#include <algorithm>

#include "gpu/ops/grain.h"
#include "gpu/ops/projector_kernels.h"
#include "gpu/ops/slopes.h"

namespace tl::ops {
namespace {

// Derivatives of the loss to what a ray is made of, in voxel indices.
struct RayGradient {
  double point[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
};

// d(loss)/d(slope, offset, length) of one ray, summed over its slices.
struct LineGradient {
  double slope_a = 0, offset_a = 0, slope_b = 0, offset_b = 0, length = 0;
};

template <class T>
LineGradient along_ray(const ProjectTask& task, const VoxelBox& box, const Ray& ray, const T* volume, double weight) {
  LineGradient g;
  const SliceRange range = slices(ray, box);
  for (int64_t n = range.begin; n < range.end; ++n) {
    const auto sample = [&](int64_t b, int64_t a) {
      if (a < 0 || b < 0 || a >= task.size[ray.a] || b >= task.size[ray.b]) return 0.0;
      return static_cast<double>(volume[n * task.stride[ray.main] + a * task.stride[ray.a] + b * task.stride[ray.b]]);
    };
    const auto at = static_cast<double>(n);
    const Slopes local = bilinear_slopes(sample, ray.slope_b * at + ray.offset_b, ray.slope_a * at + ray.offset_a);
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
RayGradient through_ray(const ProjectTask& task, const Ray& ray, const LineGradient& line) {
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

}  // namespace

template <class T>
void project_gradient(const ProjectTask& task, const VolumeGrid& grid, const T* volume, const T* projections,
                      double* gradient, const CancelToken& cancel) {
  const VoxelBox box{{0, 0, 0}, {task.size[0], task.size[1], task.size[2]}};
  const Vec3 steps[3] = {grid.step_x, grid.step_y, grid.step_z};
  const double col0 = 0.5 * static_cast<double>(task.cols - 1), row0 = 0.5 * static_cast<double>(task.rows - 1);
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  at::parallel_for(0, task.views, grain(task.rows * task.cols * depth), [&](int64_t begin, int64_t end) {
    for (int64_t view = begin; view < end; ++view) {
      // Sums over the pixels: to the beam, and to the pixel position times 1, (col - col0) and -(row - row0).
      Vec3 beam, detector, u, v;
      const T* value = projections + view * task.rows * task.cols;
      for (int64_t row = 0; row < task.rows; ++row) {
        cancel.check();
        for (int64_t col = 0; col < task.cols; ++col, ++value) {
          const Ray ray = make_ray(task, task.fans[view], row, col);
          const RayGradient g = through_ray(task, ray, along_ray(task, box, ray, volume, static_cast<double>(*value)));
          Vec3 point, direction;  // back from voxel indices to mm
          for (std::size_t a = 0; a < 3; ++a) {
            const double scale = 1 / dot(steps[a], steps[a]);
            point = point + (scale * g.point[a]) * steps[a];
            direction = direction + (scale * g.direction[a]) * steps[a];
          }
          const Vec3 pixel = task.cone != 0 ? direction : point;
          beam = beam + (task.cone != 0 ? point - direction : direction);
          detector = detector + pixel;
          u = u + (static_cast<double>(col) - col0) * pixel;
          v = v - (static_cast<double>(row) - row0) * pixel;
        }
      }
      const Vec3 parts[4] = {beam, detector, u, v};
      for (int p = 0; p < 4; ++p) {
        double* out = gradient + 12 * view + 3 * p;
        out[0] = parts[p].x;
        out[1] = parts[p].y;
        out[2] = parts[p].z;
      }
    }
  });
}

template void project_gradient(const ProjectTask&, const VolumeGrid&, const float*, const float*, double*,
                               const CancelToken&);
template void project_gradient(const ProjectTask&, const VolumeGrid&, const double*, const double*, double*,
                               const CancelToken&);

}  // namespace tl::ops
