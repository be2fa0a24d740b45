// Displacement fields from the control points of cubic B-splines.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Number of control points for an axis of n voxels, `spacing` voxels apart: they extend one interval beyond both ends.
int64_t control_points(int64_t n, double spacing);

// The linear map [c, cz, cy, cx] -> [c, z, y, x] from control points to the spline at each voxel (D. Rueckert et al.,
// IEEE Trans. Med. Imaging 18, 712, 1999). Control point k of an axis lies at (k - 1) spacing voxels, so that adding a
// value to all of them adds it everywhere. CPU; deterministic for any number of threads.
struct BSplineFieldSpec {
  int64_t channels = 3;
  std::array<int64_t, 3> shape{};   // shape of the field: z, y, x
  std::array<double, 3> spacing{};  // [voxels], above 0
  std::array<int64_t, 3> points{};  // control points: control_points() of the largest field for which they are used
  // Voxel i along an axis is at first + i * step voxels: those of a coarser level are between finer ones.
  std::array<double, 3> first{}, step{1, 1, 1};
};
OperatorPtr make_bspline_field(const BSplineFieldSpec& spec);

}  // namespace tl::ops
