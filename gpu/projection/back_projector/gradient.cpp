// Computes the back-projector's gradient with respect to its view vectors: slopes of the interpolated detector, then
// the chain rule through the twelve coefficients of the view's projective map.

#include <algorithm>
#include <array>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/dual.h"
#include "gpu/projection/back_projector/shared/kernels.h"
#include "gpu/projection/view_map.h"

namespace tl::ops {

void map_gradient_to_vectors(const MapGradient& g, const View& view, const ScanGeometry& geometry,
                             const VolumeGrid& grid, double* out) {
  const Vec3 first = grid.position(0, 0, 0);
  std::array<double, 12> coefficient{};
  for (std::size_t f = 0; f < 3; ++f) {
    const double* m = g.sum + 4 * f;
    const Vec3 moment = m[0] * first + m[1] * grid.step_x + m[2] * grid.step_y + m[3] * grid.step_z;
    coefficient[4 * f] = m[0];
    coefficient[4 * f + 1] = moment.x;
    coefficient[4 * f + 2] = moment.y;
    coefficient[4 * f + 3] = moment.z;
  }
  coefficient[8] += g.sum[12];
  const Vec3 parts[4] = {view.beam, view.detector, view.u, view.v};
  std::array<Dual<12>, 12> input;
  for (std::size_t p = 0; p < 4; ++p) {
    input[3 * p] = Dual<12>::variable(parts[p].x, 3 * p);
    input[3 * p + 1] = Dual<12>::variable(parts[p].y, 3 * p + 1);
    input[3 * p + 2] = Dual<12>::variable(parts[p].z, 3 * p + 2);
  }
  const auto map = map_coefficients(input, geometry.beam(), geometry.detector().rows, geometry.detector().cols);
  std::fill_n(out, 12, 0.0);
  for (std::size_t c = 0; c < 12; ++c)
    for (std::size_t n = 0; n < 12; ++n) out[n] += coefficient[c] * map[c].slope[n];
}

template <class T>
void back_project_gradient(const BackProjectTask& task, const ScanGeometry& geometry, const VolumeGrid& grid,
                           const T* projections, const T* volume, double* gradient, const CancelToken& cancel) {
  ops::parallel_for(0, task.views, grain(task.nz * task.ny * task.nx), [&](int64_t begin, int64_t end) {
    for (int64_t view = begin; view < end; ++view) {
      const T* data = projections + view * task.rows * task.cols;
      MapGradient sum;
      sum.clear();
      const T* voxel = volume;
      for (int64_t k = 0; k < task.nz; ++k) {
        cancel.check();
        for (int64_t j = 0; j < task.ny; ++j)
          for (int64_t i = 0; i < task.nx; ++i, ++voxel)
            add_voxel(task, task.maps[view], data, static_cast<double>(*voxel), static_cast<double>(i),
                      static_cast<double>(j), static_cast<double>(k), sum);
      }
      map_gradient_to_vectors(sum, geometry.view(view), geometry, grid, gradient + 12 * view);
    }
  });
}

template void back_project_gradient(const BackProjectTask&, const ScanGeometry&, const VolumeGrid&, const float*,
                                    const float*, double*, const CancelToken&);
template void back_project_gradient(const BackProjectTask&, const ScanGeometry&, const VolumeGrid&, const double*,
                                    const double*, double*, const CancelToken&);

}  // namespace tl::ops
