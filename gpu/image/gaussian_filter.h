// Gaussian smoothing and unsharp masking, in slices or in the volume.
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
  std::array<double, 3> sigma{1, 1, 1};  // standard deviation along z, y, x in voxels; 0 leaves that axis alone
  double truncate = 4;                   // the kernel ends at this many standard deviations
  CancelToken cancel;                    // looked at between tiles
};

// [z, y, x] -> [z, y, x]. The kernel is exp(-x^2 / (2 sigma^2)) at whole voxels up to round(truncate sigma), divided by
// its sum, along one axis after the other; volumes are mirrored at the borders with the edge voxel repeated
// (c b a | a b c), which makes the operator its own transpose and keeps the sum of the volume. float32 and float64.
// Errors: invalid (sizes, a negative or too large sigma); unavailable (a tensor on another device).
Result<OperatorPtr> make_gaussian_filter(const GaussianSpec& spec);

// x + amount (x - G x) with the Gaussian G above; its own transpose too.
Result<OperatorPtr> make_unsharp_mask(const GaussianSpec& spec, double amount);

// Voxels that the kernel reaches to each side: round(truncate sigma).
int64_t gaussian_reach(double sigma, double truncate);
// The kernel from 0 to its end; it is symmetric, and k[0] + 2 (k[1] + ...) = 1.
std::vector<double> gaussian_kernel(double sigma, double truncate);

}  // namespace tl::ops
