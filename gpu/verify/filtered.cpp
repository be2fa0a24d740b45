// Reconstructs a parallel scan by filtered back-projection, composed of its three operators, for the checks.
#include "gpu/verify/filtered.h"

#include <ATen/ATen.h>

#include <cmath>

#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_weights.h"

namespace tl::verify {

at::Tensor filtered_back_projection(const ScanGeometry& geometry, const VolumeGrid& grid, const at::Tensor& projections,
                                    ops::RampWindow window) {
  const DetectorShape& d = geometry.detector();
  ops::RampFilterSpec ramp;
  ramp.views = geometry.views();
  ramp.rows = d.rows;
  ramp.cols = d.cols;
  ramp.pitch = d.pitch_u;
  ramp.window = window;
  const auto weights = ops::view_weights(geometry).or_throw().weights;
  const at::Tensor weight = at::tensor(at::ArrayRef<double>(weights), at::kDouble).view({-1, 1, 1});
  const at::Tensor filtered = ops::make_ramp_filter(ramp).or_throw()->apply(projections);
  return make_back_projector({geometry, grid})
      .or_throw()
      ->apply((filtered * weight.to(projections.scalar_type())).contiguous());
}

at::Tensor distances_from_axis(const VolumeGrid& grid) {
  at::Tensor r = at::empty({grid.nz, grid.ny, grid.nx}, at::kDouble);
  auto a = r.accessor<double, 3>();
  for (int64_t k = 0; k < grid.nz; ++k)
    for (int64_t j = 0; j < grid.ny; ++j)
      for (int64_t i = 0; i < grid.nx; ++i) {
        const Vec3 p = grid.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
        a[k][j][i] = std::hypot(p.x, p.y);
      }
  return r;
}

}  // namespace tl::verify
