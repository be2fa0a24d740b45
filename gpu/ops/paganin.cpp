// Paganin filter composed of torch operations, a few views at a time.
#include "gpu/ops/paganin.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/ops/fft_size.h"
#include "gpu/ops/operator_checks.h"

namespace tl::ops {
namespace {

constexpr double planck_c = 12.398419843320026e-7;       // [keV mm]
constexpr int64_t samples_per_chunk = int64_t{1} << 23;  // padded; bounds the workspace to some 100 MB

// k^2 of the chosen Laplacian along one direction [1/mm^2].
at::Tensor laplacian(const at::Tensor& cycles_per_pixel, double pixel, PaganinForm form) {
  const at::Tensor phase = 2 * pi * cycles_per_pixel;  // k W
  return (form == PaganinForm::continuous ? phase.square() : 2 - 2 * phase.cos()) / (pixel * pixel);
}

Result<void> check(const at::Tensor& transmission, const at::Tensor& ratio, const PaganinSpec& spec) {
  const std::string where = "Paganin filter";
  if (!transmission.defined() || transmission.dim() != 3 ||
      (transmission.scalar_type() != at::kFloat && transmission.scalar_type() != at::kDouble))
    return invalid("the projections are not a float tensor [view, row, col]", where);
  if (!ratio.defined() || ratio.dim() != 0 || !ratio.is_floating_point())
    return invalid("delta/beta is not one number", where);
  if (!(spec.energy > 0)) return invalid("the photon energy must be positive", where, "Set the energy in keV");
  if (!(spec.plane.distance >= 0) || !std::isfinite(spec.plane.distance))
    return invalid("the propagation distance must not be negative", where, "Set the distance from sample to detector");
  if (!(spec.plane.pixel_u > 0) || !(spec.plane.pixel_v > 0))
    return invalid("the pixel size must be positive", where, "Set the pixel size of the scan");
  return ok();
}

}  // namespace

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

Result<at::Tensor> paganin(const at::Tensor& transmission, const at::Tensor& delta_over_beta, const PaganinSpec& spec) {
  TL_TRY(check(transmission, delta_over_beta, spec));
  const int64_t views = transmission.size(0), rows = transmission.size(1), cols = transmission.size(2);
  if (views == 0 || rows == 0 || cols == 0) return transmission;
  const bool edge = spec.extension == ImageExtension::edge;
  const CentredPadding down = edge ? centred_padding(rows) : CentredPadding{rows, 0, 0};
  const CentredPadding along = edge ? centred_padding(cols) : CentredPadding{cols, 0, 0};

  const auto options = transmission.options().dtype(at::kDouble);
  const at::Tensor k2 =
      laplacian(at::fft_fftfreq(down.length, 1.0, options), spec.plane.pixel_v, spec.form).unsqueeze(1) +
      laplacian(at::fft_rfftfreq(along.length, 1.0, options), spec.plane.pixel_u, spec.form).unsqueeze(0);
  const at::Tensor area = delta_over_beta.to(options) * paganin_area(spec.energy, spec.plane.distance);
  const at::Tensor filter = (1 / (1 + area * k2)).to(transmission.scalar_type());

  const int64_t chunk = std::clamp<int64_t>(samples_per_chunk / (down.length * along.length), 1, views);
  std::vector<at::Tensor> parts;
  for (int64_t first = 0; first < views; first += chunk) {
    spec.cancel.check();
    at::Tensor image = transmission.narrow(0, first, std::min(chunk, views - first));
    if (edge) image = at::replication_pad2d(image, {along.before, along.after, down.before, down.after});
    const at::Tensor spectrum = at::fft_rfft2(image) * filter;
    const std::vector<int64_t> padded = {down.length, along.length};
    parts.push_back(at::fft_irfft2(spectrum, padded).narrow(1, down.before, rows).narrow(2, along.before, cols));
  }
  return at::cat(parts).contiguous();
}

Result<at::Tensor> paganin(const at::Tensor& transmission, double delta_over_beta, const PaganinSpec& spec) {
  if (!(delta_over_beta >= 0) || !std::isfinite(delta_over_beta))
    return invalid("delta/beta is " + std::to_string(delta_over_beta), "Paganin filter",
                   "Choose 0 or a positive number");
  return paganin(transmission, at::scalar_tensor(delta_over_beta, at::TensorOptions().dtype(at::kDouble)), spec);
}

}  // namespace tl::ops
