// Back-projects any geometry by plain CPU loops: back-projection by rows of voxels, its transpose by views.
#include "gpu/projection/back_projector/shared/kernels.h"

#include <algorithm>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {

template <class T>
void back_project_generic(const BackProjectTask& task, const T* projections, T* volume, const CancelToken& cancel) {
  const int64_t view_size = task.rows * task.cols;
  ops::parallel_for(0, task.nz * task.ny, grain(task.nx * task.views), [&](int64_t begin, int64_t end) {
    std::vector<double> sum(static_cast<std::size_t>(task.nx));
    for (int64_t line = begin; line < end; ++line) {
      cancel.check();
      const int64_t row = line % task.ny, slice = line / task.ny;
      const auto j = static_cast<double>(row), k = static_cast<double>(slice);
      std::fill(sum.begin(), sum.end(), 0.0);
      for (int64_t view = 0; view < task.views; ++view) {
        const T* data = projections + view * view_size;
        for (int64_t i = 0; i < task.nx; ++i)
          sum[static_cast<std::size_t>(i)] += static_cast<double>(
              gather(task, data, project_voxel(task, task.maps[view], k, j, static_cast<double>(i))));
      }
      std::transform(sum.begin(), sum.end(), volume + line * task.nx, [](double s) { return static_cast<T>(s); });
    }
  });
}

template <class T>
void back_project_transpose(const BackProjectTask& task, const T* volume, T* projections, const CancelToken& cancel) {
  const int64_t view_size = task.rows * task.cols;
  ops::parallel_for(0, task.views, grain(task.nz * task.ny * task.nx), [&](int64_t begin, int64_t end) {
    std::vector<double> sum(static_cast<std::size_t>(view_size));
    for (int64_t view = begin; view < end; ++view) {
      std::fill(sum.begin(), sum.end(), 0.0);
      const T* voxel = volume;
      for (int64_t k = 0; k < task.nz; ++k) {
        cancel.check();
        for (int64_t j = 0; j < task.ny; ++j)
          for (int64_t i = 0; i < task.nx; ++i, ++voxel) {
            const ProjectedVoxel at = project_voxel(task, task.maps[view], static_cast<double>(k),
                                                    static_cast<double>(j), static_cast<double>(i));
            if (!at.inside) continue;
            const Taps<T> t = taps<T>(task, at);
            for (int n = 0; n < 4; ++n)
              sum[static_cast<std::size_t>(t.index[n])] +=
                  static_cast<double>(t.weight[n]) * static_cast<double>(*voxel);
          }
      }
      std::transform(sum.begin(), sum.end(), projections + view * view_size,
                     [](double s) { return static_cast<T>(s); });
    }
  });
}

template void back_project_generic(const BackProjectTask&, const float*, float*, const CancelToken&);
template void back_project_generic(const BackProjectTask&, const double*, double*, const CancelToken&);
template void back_project_transpose(const BackProjectTask&, const float*, float*, const CancelToken&);
template void back_project_transpose(const BackProjectTask&, const double*, double*, const CancelToken&);

}  // namespace tl::ops
