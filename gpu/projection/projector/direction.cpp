// Projects, and differentiates along one change of the view vectors: ray motion times the slopes of the interpolated
// slices.
#include "gpu/projection/projector/direction.h"

#include "gpu/device/parallel_for.h"
#include "gpu/operator/interpolation_weights.h"

namespace tl::ops {
namespace {

// A ray, and the derivatives of its line parameters.
struct MovingRay {
  Ray ray;
  double slope_a, offset_a, slope_b, offset_b, length;
};

MovingRay make_moving_ray(const ProjectTask& task, const RayFan& fan, const RayFan& change, int64_t row, int64_t col) {
  MovingRay m{make_ray(task, fan, row, col), 0, 0, 0, 0, 0};
  const Ray& ray = m.ray;
  double point[3], direction[3], square = 0, turn = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double pixel = change.corner[axis] + static_cast<double>(col) * change.along_col[axis] +
                         static_cast<double>(row) * change.along_row[axis];
    point[axis] = task.cone != 0 ? change.beam[axis] : pixel;
    direction[axis] = task.cone != 0 ? pixel - change.beam[axis] : change.beam[axis];
    const double scale = task.voxel[axis] * task.voxel[axis] * ray.direction[axis];
    square += scale * ray.direction[axis];
    turn += scale * direction[axis];
  }
  const double inverse = 1 / ray.direction[ray.main];
  const auto line = [&](int32_t axis, double slope, double& d_slope, double& d_offset) {
    d_slope = (direction[axis] - slope * direction[ray.main]) * inverse;
    d_offset = point[axis] - d_slope * ray.point[ray.main] - slope * point[ray.main];
  };
  line(ray.a, ray.slope_a, m.slope_a, m.offset_a);
  line(ray.b, ray.slope_b, m.slope_b, m.offset_b);
  m.length = ray.length * (turn / square - direction[ray.main] * inverse);
  return m;
}

// Calls use(voxel, weight in the value, weight in the derivative) for the voxels of the box around a ray in slice n.
template <class Use>
void each_voxel(const ProjectTask& task, const VoxelBox& box, const MovingRay& m, int64_t n, const Use& use) {
  const Ray& ray = m.ray;
  const auto at = static_cast<double>(n);
  const InterpolationWeights along_a(ray.slope_a * at + ray.offset_a), along_b(ray.slope_b * at + ray.offset_b);
  const double moved_a = m.slope_a * at + m.offset_a, moved_b = m.slope_b * at + m.offset_b;
  for (std::size_t y = 0; y < 3; ++y) {
    const int64_t b = along_b.low - 1 + static_cast<int64_t>(y);
    if (b < box.begin[ray.b] || b >= box.end[ray.b]) continue;
    for (std::size_t x = 0; x < 3; ++x) {
      const int64_t a = along_a.low - 1 + static_cast<int64_t>(x);
      if (a < box.begin[ray.a] || a >= box.end[ray.a]) continue;
      const double value = along_a.value[x] * along_b.value[y];
      const double slope = m.length * value + ray.length * (along_a.slope[x] * along_b.value[y] * moved_a +
                                                            along_a.value[x] * along_b.slope[y] * moved_b);
      use(n * task.stride[ray.main] + a * task.stride[ray.a] + b * task.stride[ray.b], ray.length * value, slope);
    }
  }
}

}  // namespace

std::vector<RayFan> ray_fans_along(const ScanGeometry& geometry, const VolumeGrid& grid, const double* change) {
  std::vector<RayFan> fans(static_cast<std::size_t>(geometry.views()));
  for (std::size_t i = 0; i < fans.size(); ++i) {
    const double* c = change + 12 * i;
    fans[i] = linear_fan({c[0], c[1], c[2]}, {c[3], c[4], c[5]}, {c[6], c[7], c[8]}, {c[9], c[10], c[11]},
                         geometry.detector(), grid);
  }
  return fans;
}

template <class T>
void project_along(const ProjectTask& task, const RayFan* changes, const T* volume, T* projections, T* slope,
                   const CancelToken& cancel) {
  const VoxelBox box = whole_box(task);
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  ops::parallel_for(0, task.views * task.rows, grain(task.cols * depth), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      cancel.check();
      const int64_t view = line / task.rows, row = line % task.rows;
      for (int64_t col = 0; col < task.cols; ++col) {
        const MovingRay m = make_moving_ray(task, task.fans[view], changes[view], row, col);
        const SliceRange range = slices(m.ray, box);
        double value = 0, moved = 0;
        for (int64_t n = range.begin; n < range.end; ++n)
          each_voxel(task, box, m, n, [&](int64_t voxel, double in_value, double in_slope) {
            const auto x = static_cast<double>(volume[voxel]);
            if (in_value != 0) value += in_value * x;
            if (in_slope != 0) moved += in_slope * x;
          });
        const int64_t pixel = line * task.cols + col;
        if (projections != nullptr) projections[pixel] = static_cast<T>(value);
        slope[pixel] = static_cast<T>(moved);
      }
    }
  });
}

template <class T>
void project_along_transpose(const ProjectTask& task, const RayFan* changes, const T* slope, T* volume,
                             const CancelToken& cancel) {
  std::fill_n(volume, task.size[0] * task.size[1] * task.size[2], T(0));
  each_row_by_slabs(task, cancel, [&](const VoxelBox& box, std::size_t axis, int64_t view, int64_t row) {
    // The slope at a ray exactly on the first voxel of the next slab involves the last voxel of this one.
    VoxelBox wide = box;
    wide.begin[axis] -= 1;
    wide.end[axis] += 1;
    const T* values = slope + (view * task.rows + row) * task.cols;
    for (int64_t col = 0; col < task.cols; ++col) {
      const MovingRay m = make_moving_ray(task, task.fans[view], changes[view], row, col);
      const SliceRange all = slices(m.ray, whole_box(task)), near = slices(m.ray, wide);
      int64_t begin = std::max(all.begin, near.begin), end = std::min(all.end, near.end);
      if (m.ray.main == static_cast<int32_t>(axis)) {
        begin = std::max(begin, box.begin[axis]);
        end = std::min(end, box.end[axis]);
      }
      for (int64_t n = begin; n < end; ++n)
        each_voxel(task, box, m, n, [&](int64_t voxel, double, double in_slope) {
          volume[voxel] += static_cast<T>(in_slope * static_cast<double>(values[col]));
        });
    }
  });
}

template void project_along(const ProjectTask&, const RayFan*, const float*, float*, float*, const CancelToken&);
template void project_along(const ProjectTask&, const RayFan*, const double*, double*, double*, const CancelToken&);
template void project_along_transpose(const ProjectTask&, const RayFan*, const float*, float*, const CancelToken&);
template void project_along_transpose(const ProjectTask&, const RayFan*, const double*, double*, const CancelToken&);

}  // namespace tl::ops
