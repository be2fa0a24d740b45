// Computes the projector's gradient with respect to its view vectors: slopes of the interpolated slices, then the chain
// rule through the ray's slopes, offsets and length to the pixel, the beam and the detector axes.

#include <algorithm>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/projection/projector/shared/kernels.h"

namespace tl::ops {

void ray_gradient_to_vectors(const ViewGradient& sums, const VolumeGrid& grid, double* out) {
  const Vec3 steps[3] = {grid.step_x, grid.step_y, grid.step_z};
  for (int part = 0; part < 4; ++part) {
    Vec3 mm;  // converted from voxel indices to mm
    for (int a = 0; a < 3; ++a) mm = mm + (sums.sum[3 * part + a] / dot(steps[a], steps[a])) * steps[a];
    out[3 * part] = mm.x;
    out[3 * part + 1] = mm.y;
    out[3 * part + 2] = mm.z;
  }
}

template <class T>
void project_gradient(const ProjectTask& task, const VolumeGrid& grid, const T* volume, const T* projections,
                      double* gradient, const CancelToken& cancel) {
  const VoxelBox box = whole_box(task);
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  ops::parallel_for(0, task.views, grain(task.rows * task.cols * depth), [&](int64_t begin, int64_t end) {
    for (int64_t view = begin; view < end; ++view) {
      ViewGradient sums;
      sums.clear();
      const T* value = projections + view * task.rows * task.cols;
      for (int64_t row = 0; row < task.rows; ++row) {
        cancel.check();
        for (int64_t col = 0; col < task.cols; ++col, ++value)
          add_pixel(task, box, task.fans[view], row, col, volume, static_cast<double>(*value), sums);
      }
      ray_gradient_to_vectors(sums, grid, gradient + 12 * view);
    }
  });
}

template void project_gradient(const ProjectTask&, const VolumeGrid&, const float*, const float*, double*,
                               const CancelToken&);
template void project_gradient(const ProjectTask&, const VolumeGrid&, const double*, const double*, double*,
                               const CancelToken&);

}  // namespace tl::ops
