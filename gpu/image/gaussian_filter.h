// Gaussian smoothing and unsharp masking of slices or of the volume.
#pragma once

#include <array>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/image/line_tile.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

struct GaussianSpec {
  int64_t nz = 1, ny = 1, nx = 1;
  std::array<double, 3> sigma{1, 1, 1};  // standard deviation along z, y, x in voxels; 0: no smoothing along that axis
  double truncate = 4;                   // radius of the kernel in standard deviations
  CancelToken cancel;                    // checked between tiles
};

// [z, y, x] -> [z, y, x]. The kernel is exp(-x^2 / (2 sigma^2)) at integer voxel offsets up to round(truncate sigma),
// normalized to sum 1, applied along one axis after the other. Volumes are mirrored at the borders with the edge voxel
// repeated (c b a | a b c), which makes the operator self-adjoint and preserves the sum of the volume. float32 and
// float64. Errors: invalid (sizes, a negative or too large sigma); unavailable (a tensor on another device).
Result<OperatorPtr> make_gaussian_filter(const GaussianSpec& spec);

// x + amount (x - G x) with the Gaussian filter G above; self-adjoint too.
Result<OperatorPtr> make_unsharp_mask(const GaussianSpec& spec, double amount);

// Radius of the kernel in voxels: round(truncate sigma).
int64_t gaussian_reach(double sigma, double truncate);
// The symmetric kernel from its centre to its end; k[0] + 2 (k[1] + ...) = 1.
std::vector<double> gaussian_kernel(double sigma, double truncate);

}  // namespace tl::ops
