// Removes stripes by filtering and sorting: low-pass along the views by a real FFT of the mirrored columns, then
// sorting.
#include "gpu/correction/stripes/filtering.h"

#include <ATen/ATen.h>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/sorting.h"

namespace tl::ops {

at::Tensor low_pass_views(const at::Tensor& sinogram, double sigma) {
  const int64_t views = sinogram.size(0);
  const at::Tensor closed = at::cat({sinogram, sinogram.flip({0})});
  // Mode k of the mirrored column has k / 2 cycles per scan.
  const at::Tensor f = 0.5 * at::arange(views + 1, sinogram.options().dtype(at::kDouble));
  at::Tensor keep = (f.square() * (-0.5 / (sigma * sigma))).exp().to(sinogram.scalar_type());
  std::vector<int64_t> shape(static_cast<std::size_t>(sinogram.dim()), 1);
  shape[0] = views + 1;
  return at::fft_irfft(at::fft_rfft(closed, std::nullopt, 0) * keep.view(shape), 2 * views, 0).narrow(0, 0, views);
}

Result<at::Tensor> remove_stripes_by_filtering(const at::Tensor& projections, const StripeFilteringSpec& spec) {
  const std::string where = "stripe removal by filtering";
  TL_TRY(check_projections_on_any_device(projections, where));
  TL_TRY(check_window(spec.size, "columns", where));
  if (!(spec.sigma > 0)) return invalid("the low-pass needs a positive sigma", where);
  return map_sinograms(projections, spec.cancel, [&](const at::Tensor& sinogram) {
    // One value is subtracted first, so that a constant sinogram is exactly zero in between.
    const at::Tensor level = sinogram.select(0, 0).select(0, sinogram.size(1) / 2).detach();
    const at::Tensor slow = low_pass_views(sinogram - level, spec.sigma).contiguous().unsqueeze(1);
    StripeSortingSpec sorting;
    sorting.size = spec.size;
    sorting.cancel = spec.cancel;
    return sinogram + (remove_stripes_by_sorting(slow, sorting).or_throw() - slow).squeeze(1);
  });
}

}  // namespace tl::ops
