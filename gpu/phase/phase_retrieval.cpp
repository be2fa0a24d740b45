// Retrieves phase by Farago's filter or the contrast transfer function: their frequency responses.
#include "gpu/phase/phase_retrieval.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"

namespace tl::ops {
namespace {

constexpr double transition = 0.01;  // [cycles per pixel] width of the transition between the two limits

// f^2 [1/mm^2] on the frequency plane.
at::Tensor squared_frequency(const at::Tensor& down, const at::Tensor& along, double pixel_u, double pixel_v) {
  return (down / pixel_v).square() + (along / pixel_u).square();
}

}  // namespace

Result<at::Tensor> farago(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                          const at::Tensor& wave_area, const FaragoSpec& spec) {
  const std::string where = "Farago filter";
  TL_TRY(check_phase_input(transmission, delta_over_beta, wave_area, spec.pixel_u, spec.pixel_v, where));
  const double r = spec.regularisation;
  if (!(r >= 0) || !std::isfinite(r)) return invalid("the regularisation must not be negative", where, "Choose 1e-4");
  const auto response = [&](const at::Tensor& down, const at::Tensor& along) {
    const at::Tensor chi = pi * wave_area.to(at::kDouble) * squared_frequency(down, along, spec.pixel_u, spec.pixel_v);
    const at::Tensor d = chi.cos() + delta_over_beta.to(at::kDouble) * chi.sin();
    return (1 + r) * d / (d.square() + r);
  };
  return filter_views(transmission, spec.extension, response, spec.cancel);
}

Result<at::Tensor> contrast_transfer(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                                     const at::Tensor& wave_area, const CtfSpec& spec) {
  const std::string where = "contrast transfer function";
  TL_TRY(check_phase_input(transmission, delta_over_beta, wave_area, spec.pixel_u, spec.pixel_v, where));
  if (!(spec.low_limit >= 0) || !(spec.high_limit >= 0) || !std::isfinite(spec.low_limit + spec.high_limit))
    return invalid("the regularisation must not be negative", where, "Choose 0 below and 0.2 above the cut-off");
  const double finest = std::min(spec.pixel_u, spec.pixel_v);
  const auto response = [&](const at::Tensor& down, const at::Tensor& along) {
    const at::Tensor area = wave_area.to(at::kDouble);
    const at::Tensor f2 = squared_frequency(down, along, spec.pixel_u, spec.pixel_v), chi = pi * area * f2;
    const at::Tensor s = chi.sin() + chi.cos() / delta_over_beta.to(at::kDouble);
    const at::Tensor cut = (finest * at::rsqrt(2 * area)).clamp_max(0.5);  // cycles per pixel
    const at::Tensor low = 0.5 * at::erfc((finest * f2.sqrt() - cut) / transition);
    return s / (2 * s.square() + spec.low_limit * low + spec.high_limit * (1 - low));
  };
  const auto contrast = [](const at::Tensor& views) { return 1 - views; };
  return filter_views(transmission, spec.extension, response, spec.cancel, contrast);
}

}  // namespace tl::ops
