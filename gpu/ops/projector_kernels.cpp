// The projector's loops: ray by ray forward, slab by slab in the transpose.
#include "gpu/ops/projector_kernels.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "gpu/ops/grain.h"

namespace tl::ops {
namespace {

// A position or a direction in voxel indices.
void to_index(Vec3 p, const VolumeGrid& grid, const double* origin, double* out) {
  const Vec3 steps[3] = {grid.step_x, grid.step_y, grid.step_z};
  for (std::size_t a = 0; a < 3; ++a) out[a] = dot(p, steps[a]) / dot(steps[a], steps[a]) + origin[a];
}

}  // namespace

std::vector<RayFan> ray_fans(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const double middle[3] = {0.5 * static_cast<double>(grid.nx - 1), 0.5 * static_cast<double>(grid.ny - 1),
                            0.5 * static_cast<double>(grid.nz - 1)};
  const double none[3] = {0, 0, 0};
  const DetectorShape& d = geometry.detector();
  std::vector<RayFan> fans(static_cast<std::size_t>(geometry.views()));
  for (std::size_t i = 0; i < fans.size(); ++i) {
    const View& w = geometry.view(static_cast<int64_t>(i));
    const Vec3 corner = w.detector - (0.5 * static_cast<double>(d.cols - 1)) * w.u +
                        (0.5 * static_cast<double>(d.rows - 1)) * w.v - grid.centre;
    to_index(corner, grid, middle, fans[i].corner);
    to_index(w.u, grid, none, fans[i].along_col);
    to_index(-1.0 * w.v, grid, none, fans[i].along_row);
    if (geometry.is_parallel())
      to_index(w.beam, grid, none, fans[i].beam);
    else
      to_index(w.beam - grid.centre, grid, middle, fans[i].beam);
  }
  return fans;
}

template <class T>
void project_generic(const ProjectTask& task, const T* volume, T* projections, const CancelToken& cancel) {
  const ProjectRay<T> ray{task, whole_box(task), volume, projections};
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  at::parallel_for(0, task.views * task.rows, grain(task.cols * depth), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      cancel.check();
      for (int64_t col = 0; col < task.cols; ++col) ray(line * task.cols + col);
    }
  });
}

template <class T>
void project_transpose(const ProjectTask& task, const T* projections, T* volume, const CancelToken& cancel) {
  std::fill_n(volume, task.size[0] * task.size[1] * task.size[2], T(0));
  // Slabs along z, or along y where that is longer: a few per thread, so that an uneven load evens out. How many does
  // not change the result: each voxel adds up its rays in the same order.
  const std::size_t axis = task.size[1] > task.size[2] ? 1 : 2;
  const int64_t slabs = std::min<int64_t>(task.size[axis], 4 * at::get_num_threads());
  const int64_t rays = task.views * task.rows * task.cols;
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  at::parallel_for(0, slabs, grain(rays * depth / slabs), [&](int64_t first, int64_t last) {
    for (int64_t slab = first; slab < last; ++slab) {
      VoxelBox box = whole_box(task);
      box.begin[axis] = task.size[axis] * slab / slabs;
      box.end[axis] = task.size[axis] * (slab + 1) / slabs;
      const T* value = projections;
      for (int64_t view = 0; view < task.views; ++view)
        for (int64_t row = 0; row < task.rows; ++row) {
          cancel.check();
          for (int64_t col = 0; col < task.cols; ++col, ++value) {
            const Ray ray = make_ray(task, task.fans[view], row, col);
            const SliceRange range = slices(ray, box);
            for (int64_t n = range.begin; n < range.end; ++n) {
              const RayTaps<T> t = ray_taps<T>(task, box, ray, n);
              for (int c = 0; c < 4; ++c) volume[t.offset[c]] += t.weight[c] * *value;
            }
          }
        }
    }
  });
}

template void project_generic(const ProjectTask&, const float*, float*, const CancelToken&);
template void project_generic(const ProjectTask&, const double*, double*, const CancelToken&);
template void project_transpose(const ProjectTask&, const float*, float*, const CancelToken&);
template void project_transpose(const ProjectTask&, const double*, double*, const CancelToken&);

}  // namespace tl::ops
