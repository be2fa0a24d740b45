// Retrieves phase by Paganin's filter: its frequency response and its parameters.
#include "gpu/phase/paganin.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr double planck_c = 12.398419843320026e-7;  // [keV mm]
const char* const paganin_filter = "Paganin filter";

}  // namespace

at::Tensor negative_laplacian(const at::Tensor& cycles_per_pixel, double pixel, PaganinForm form) {
  const at::Tensor phase = 2 * pi * cycles_per_pixel;  // k W
  return (form == PaganinForm::continuous ? phase.square() : 2 - 2 * phase.cos()) / (pixel * pixel);
}

double wavelength(double energy) { return planck_c / energy; }

double paganin_area(double energy, double distance) { return distance * wavelength(energy) / (4 * pi); }

double paganin_strength(double energy, double delta_over_beta, double distance, double pixel) {
  return delta_over_beta * paganin_area(energy, distance) / (pixel * pixel);
}

PropagationPlane propagation_plane(double source_to_sample, double sample_to_detector, double pitch_u, double pitch_v) {
  if (!(source_to_sample > 0) || std::isinf(source_to_sample)) return {sample_to_detector, pitch_u, pitch_v};
  const double magnification = (source_to_sample + sample_to_detector) / source_to_sample;
  return {sample_to_detector / magnification, pitch_u / magnification, pitch_v / magnification};
}

double paganin_chi_nyquist(double energy, const PropagationPlane& plane) {
  const double nyquist = 0.5 / std::min(plane.pixel_u, plane.pixel_v);
  return pi * wavelength(energy) * plane.distance * nyquist * nyquist;
}

Result<at::Tensor> paganin(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                           const at::Tensor& wave_area, const PaganinSpec& spec) {
  TL_TRY(check_phase_input(transmission, delta_over_beta, wave_area, spec.plane.pixel_u, spec.plane.pixel_v,
                           paganin_filter));
  const auto options = transmission.options().dtype(at::kDouble);
  const at::Tensor area = delta_over_beta.to(options) * wave_area.to(options) / (4 * pi);
  const auto response = [&](const at::Tensor& down, const at::Tensor& along) {
    return 1 / (1 + area * (negative_laplacian(down, spec.plane.pixel_v, spec.form) +
                            negative_laplacian(along, spec.plane.pixel_u, spec.form)));
  };
  return filter_views(transmission, spec.extension, response, spec.cancel);
}

Result<at::Tensor> paganin(const at::Tensor& transmission, const at::Tensor& delta_over_beta, const PaganinSpec& spec) {
  if (!(spec.energy > 0)) return invalid("the photon energy must be positive", paganin_filter, "Set the energy in keV");
  if (!(spec.plane.distance >= 0) || !std::isfinite(spec.plane.distance))
    return invalid("the propagation distance must not be negative", paganin_filter,
                   "Set the distance from sample to detector");
  const double wave_area = wavelength(spec.energy) * spec.plane.distance;
  return paganin(transmission, delta_over_beta, at::scalar_tensor(wave_area, at::TensorOptions().dtype(at::kDouble)),
                 spec);
}

Result<at::Tensor> paganin(const at::Tensor& transmission, double delta_over_beta, const PaganinSpec& spec) {
  if (!(delta_over_beta >= 0) || !std::isfinite(delta_over_beta))
    return invalid("delta/beta is " + std::to_string(delta_over_beta), paganin_filter, "Choose 0 or a positive number");
  return paganin(transmission, at::scalar_tensor(delta_over_beta, at::TensorOptions().dtype(at::kDouble)), spec);
}

}  // namespace tl::ops
