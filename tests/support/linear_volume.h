// Volumes whose values are linear in the position: linear interpolation and means over a box are then exact.
#pragma once

#include <ATen/ATen.h>

#include "core/base/grid.h"

namespace tl::test {

inline double linear_value(Vec3 p) { return 0.25 * p.x - 0.5 * p.y + 0.125 * p.z + 1; }
// Rounding of values of about 10 as float32, and of coordinates of grid_sampler in float32.
inline constexpr double linear_rounding = 2e-4;

inline at::Tensor linear_volume(const VolumeGrid& g) {
  at::Tensor v = at::empty({g.nz, g.ny, g.nx}, at::kFloat);
  for (int64_t k = 0; k < g.nz; ++k)
    for (int64_t j = 0; j < g.ny; ++j)
      for (int64_t i = 0; i < g.nx; ++i)
        v[k][j][i] = linear_value(g.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)));
  return v;
}

}  // namespace tl::test
