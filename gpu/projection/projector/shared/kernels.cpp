// Projects any geometry by plain CPU loops: by ray in the forward projection, by slab in the transpose.
#include "gpu/projection/projector/shared/kernels.h"

namespace tl::ops {

RayFan linear_fan(Vec3 beam, Vec3 detector, Vec3 u, Vec3 v, const DetectorShape& shape, const VolumeGrid& grid) {
  const Vec3 steps[3] = {grid.step_x, grid.step_y, grid.step_z};
  const auto to_index = [&](Vec3 p, double* out) {
    for (std::size_t a = 0; a < 3; ++a) out[a] = dot(p, steps[a]) / dot(steps[a], steps[a]);
  };
  RayFan fan;
  to_index(detector - (0.5 * static_cast<double>(shape.cols - 1)) * u + (0.5 * static_cast<double>(shape.rows - 1)) * v,
           fan.corner);
  to_index(u, fan.along_col);
  to_index(-1.0 * v, fan.along_row);
  to_index(beam, fan.beam);
  return fan;
}

std::vector<RayFan> ray_fans(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const double middle[3] = {0.5 * static_cast<double>(grid.nx - 1), 0.5 * static_cast<double>(grid.ny - 1),
                            0.5 * static_cast<double>(grid.nz - 1)};
  const bool parallel = geometry.is_parallel();
  std::vector<RayFan> fans(static_cast<std::size_t>(geometry.views()));
  for (std::size_t i = 0; i < fans.size(); ++i) {
    const View& w = geometry.view(static_cast<int64_t>(i));
    fans[i] = linear_fan(parallel ? w.beam : w.beam - grid.centre, w.detector - grid.centre, w.u, w.v,
                         geometry.detector(), grid);
    for (std::size_t a = 0; a < 3; ++a) {
      fans[i].corner[a] += middle[a];
      if (!parallel) fans[i].beam[a] += middle[a];
    }
  }
  return fans;
}

template <class T>
void project_generic(const ProjectTask& task, const T* volume, T* projections, const CancelToken& cancel) {
  const ProjectRay<T> ray{task, whole_box(task), volume, projections};
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  ops::parallel_for(0, task.views * task.rows, grain(task.cols * depth), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      cancel.check();
      for (int64_t col = 0; col < task.cols; ++col) ray(line * task.cols + col);
    }
  });
}

template <class T>
void project_transpose(const ProjectTask& task, const T* projections, T* volume, const CancelToken& cancel) {
  std::fill_n(volume, task.size[0] * task.size[1] * task.size[2], T(0));
  each_row_by_slabs(task, cancel, [&](const VoxelBox& box, std::size_t, int64_t view, int64_t row) {
    const T* values = projections + (view * task.rows + row) * task.cols;
    for (int64_t col = 0; col < task.cols; ++col) {
      const Ray ray = make_ray(task, task.fans[view], row, col);
      const SliceRange range = slices(ray, box);
      for (int64_t n = range.begin; n < range.end; ++n) {
        const RayTaps<T> t = ray_taps<T>(task, box, ray, n);
        for (int c = 0; c < 4; ++c) volume[t.offset[c]] += t.weight[c] * values[col];
      }
    }
  });
}

template void project_generic(const ProjectTask&, const float*, float*, const CancelToken&);
template void project_generic(const ProjectTask&, const double*, double*, const CancelToken&);
template void project_transpose(const ProjectTask&, const float*, float*, const CancelToken&);
template void project_transpose(const ProjectTask&, const double*, double*, const CancelToken&);

}  // namespace tl::ops
