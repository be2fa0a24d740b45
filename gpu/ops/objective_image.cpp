// Differences between neighbouring voxels, and what is made of them.
#include "gpu/ops/objective_image.h"

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "gpu/reduce.h"

namespace tl::ops {
namespace {

// Sum of squared differences of neighbours `order` times along every axis that is long enough.
at::Tensor squared_differences(const at::Tensor& x, int order) {
  at::Tensor sum = at::zeros({}, at::kDouble);
  for (int64_t axis = 0; axis < 3; ++axis) {
    at::Tensor d = x;
    for (int n = 0; n < order && d.size(axis) > 1; ++n)
      d = d.narrow(axis, 1, d.size(axis) - 1) - d.narrow(axis, 0, d.size(axis) - 1);
    if (d.size(axis) == x.size(axis) - order) sum = sum + differentiable_sum_of_squares(d);
  }
  return sum;
}

}  // namespace

at::Tensor gradient_energy(const at::Tensor& volume) {
  return squared_differences(volume, 1) / static_cast<double>(volume.numel());
}

at::Tensor total_variation_score(const at::Tensor& volume, double epsilon) {
  TL_CHECK(volume.dim() == 3 && epsilon > 0, "total variation of [z, y, x] with rounded corners");
  at::Tensor squares = at::full_like(volume, epsilon * epsilon).detach();
  for (int64_t axis = 0; axis < 3; ++axis) {
    const int64_t n = volume.size(axis);
    if (n < 2) continue;
    const at::Tensor d = volume.narrow(axis, 1, n - 1) - volume.narrow(axis, 0, n - 1);
    // The last voxel along an axis has no next one.
    std::vector<int64_t> pad(6, 0);
    pad[static_cast<std::size_t>(2 * (2 - axis) + 1)] = 1;
    squares = squares + at::constant_pad_nd(d * d, pad);
  }
  return differentiable_mean(squares.sqrt()) - epsilon;
}

at::Tensor sharpness(const at::Tensor& volume, SharpnessMeasure measure) {
  const at::Tensor variance = differentiable_variance(volume);
  if (measure == SharpnessMeasure::variance) {
    const at::Tensor mean = differentiable_mean(volume);
    return variance / (mean * mean);
  }
  const int order = measure == SharpnessMeasure::gradient ? 1 : 2;
  return squared_differences(volume, order) / (static_cast<double>(volume.numel()) * variance);
}

}  // namespace tl::ops
