// Scores a single image by differences between neighbouring voxels: gradient energy, total variation, sharpness.
#include "gpu/objective/image.h"

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "gpu/operator/reduce.h"
#include "gpu/operator/slab_sum.h"

namespace tl::ops {
namespace {

// Sum of squared differences of the given order along every axis that is long enough.
at::Tensor squared_differences(const at::Tensor& volume, int order) {
  const auto part = [order](const auto& slabs, const auto&, Range slices) {
    at::Tensor sum = at::zeros({}, at::kDouble);
    for (int64_t axis = 0; axis < 3; ++axis) {
      // Slices following a slab are only used as neighbours; their own differences belong to the next slab.
      at::Tensor d = axis == 0 ? slabs.front() : slabs.front().narrow(0, 0, slices.size());
      const int64_t n = d.size(axis);
      for (int k = 0; k < order && d.size(axis) > 1; ++k)
        d = d.narrow(axis, 1, d.size(axis) - 1) - d.narrow(axis, 0, d.size(axis) - 1);
      if (d.size(axis) == n - order) sum = sum + differentiable_sum_of_squares(d);
    }
    return sum;
  };
  return slab_sum({{volume}, {}, order, part});
}

}  // namespace

at::Tensor gradient_energy(const at::Tensor& volume) {
  return squared_differences(volume, 1) / static_cast<double>(volume.numel());
}

at::Tensor total_variation_score(const at::Tensor& volume, double epsilon) {
  TL_CHECK(volume.dim() == 3 && epsilon > 0, "total variation of [z, y, x] with rounded corners");
  const auto part = [epsilon](const auto& slabs, const auto&, Range slices) {
    const at::Tensor &x = slabs.front(), own = x.narrow(0, 0, slices.size());
    at::Tensor squares = at::full(own.sizes(), epsilon * epsilon, x.options().requires_grad(false));
    for (int64_t axis = 0; axis < 3; ++axis) {
      const at::Tensor& along = axis == 0 ? x : own;
      const int64_t n = along.size(axis);
      if (n < 2) continue;
      const at::Tensor d = along.narrow(axis, 1, n - 1) - along.narrow(axis, 0, n - 1);
      // The last voxel along an axis has no next voxel.
      std::vector<int64_t> pad(6, 0);
      pad[static_cast<std::size_t>(2 * (2 - axis) + 1)] = own.size(axis) - (n - 1);
      squares = squares + at::constant_pad_nd(d * d, pad);
    }
    return differentiable_sum(squares.sqrt());
  };
  return slab_sum({{volume}, {}, 1, part}) / static_cast<double>(volume.numel()) - epsilon;
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
