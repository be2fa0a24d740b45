// Estimates the noise level of a slice from the median magnitude of mixed differences.
#include "gpu/image/noise_estimate.h"

#include <ATen/ATen.h>

#include "core/base/error.h"

namespace tl::ops {

double noise_estimate(const at::Tensor& slice) {
  if (!slice.defined() || slice.dim() != 2 || !slice.is_floating_point())
    throw Failure(invalid("the slice is not a float tensor [y, x]", "noise estimate"));
  const int64_t ny = slice.size(0), nx = slice.size(1);
  if (ny < 2 || nx < 2) return 0;
  const at::Tensor v = slice.detach().to(at::kDouble), along = v.slice(1, 1) - v.slice(1, 0, nx - 1);
  const at::Tensor mixed = (along.slice(0, 1) - along.slice(0, 0, ny - 1)).abs().view(-1);
  const at::Tensor finite = mixed.masked_select(mixed.isfinite());
  return finite.numel() == 0 ? 0 : 0.5 * 1.4826 * finite.median().item<double>();
}

}  // namespace tl::ops
