// Normalizes each view by the empty beam around the object; composed of torch operations.
#include "gpu/correction/flats/beam_intensity.h"

#include <ATen/ATen.h>

#include "gpu/correction/sinograms.h"

namespace tl::ops {

Result<BeamIntensityResult> normalise_beam(const at::Tensor& projections, const BeamIntensitySpec& spec) {
  const std::string where = "beam intensity";
  TL_TRY(check_projections_on_any_device(projections, where));
  const int64_t cols = projections.size(2);
  if (spec.left < 0 || spec.right < 0 || spec.left + spec.right < 1 || spec.left + spec.right > cols)
    return invalid(std::to_string(spec.left) + " and " + std::to_string(spec.right) + " background columns of " +
                       std::to_string(cols),
                   where, "Choose columns that see the empty beam in all views");
  if (projections.numel() == 0) return BeamIntensityResult{projections, 0};
  const auto mean = [&](int64_t first, int64_t count) {
    const at::Tensor part = projections.narrow(2, first, count).to(at::kDouble);
    return spec.rows == BackgroundRows::each_row ? part.mean(at::IntArrayRef{2}, true)
                                                 : part.mean(at::IntArrayRef{1, 2}, true);
  };
  at::Tensor line;
  if (spec.left > 0 && spec.right > 0) {
    const at::Tensor a = mean(0, spec.left), b = mean(cols - spec.right, spec.right);
    const double from = 0.5 * static_cast<double>(spec.left - 1);
    const double to = static_cast<double>(cols) - 0.5 * static_cast<double>(spec.right + 1);
    line = a + (b - a) * ((at::arange(cols, a.options()) - from) / (to - from));
  } else {
    line = spec.left > 0 ? mean(0, spec.left) : mean(cols - spec.right, spec.right);
  }
  const bool gain = spec.model == StripeModel::gain;
  const at::Tensor plain = line.detach();
  const at::Tensor good = (gain ? plain.gt(0).logical_and(plain.isfinite()) : plain.isfinite()).all(2, true);
  const at::Tensor safe =
      at::where(good, line, at::full({}, gain ? 1.0 : 0.0, plain.options())).to(projections.scalar_type());
  return BeamIntensityResult{gain ? projections / safe : projections - safe, good.logical_not().sum().item<int64_t>()};
}

}  // namespace tl::ops
