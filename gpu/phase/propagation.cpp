// Propagates views by the transport of intensity or by Fresnel's propagator, a few views at a time; composed of torch
// operations.
#include "gpu/phase/propagation.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "gpu/filtering/fft_size.h"

namespace tl::ops {
namespace {

constexpr int64_t samples_at_once = int64_t{1} << 22;  // complex, after padding

Result<void> check_number(const at::Tensor& number, double least, const std::string& what) {
  const std::string where = "propagation";
  if (!number.defined() || number.dim() != 0 || !number.is_floating_point())
    return invalid(what + " is not one number", where);
  const double value = number.detach().item<double>();
  if (!std::isfinite(value) || value < least || (least > 0 && value <= 0))
    return invalid(what + " is " + std::to_string(value), where, least > 0 ? "It must be positive" : "It must be >= 0");
  return ok();
}

// Central differences over two pixels; at an end, the value of the neighbouring pixel: [view, row, col].
at::Tensor slope(const at::Tensor& x, int64_t dim) {
  const int64_t n = x.size(dim);
  if (n < 2) return at::zeros_like(x);
  const at::Tensor first = x.narrow(dim, 1, 1) - x.narrow(dim, 0, 1);
  const at::Tensor last = x.narrow(dim, n - 1, 1) - x.narrow(dim, n - 2, 1);
  if (n == 2) return at::cat({first, last}, dim);
  return at::cat({first, 0.5 * (x.narrow(dim, 2, n - 2) - x.narrow(dim, 0, n - 2)), last}, dim);
}

// z delta / mu [mm^2], or times the square of the magnification.
at::Tensor transport_area(const PropagationBeam& beam) {
  return beam.wave_area.to(at::kDouble) * beam.delta.to(at::kDouble) / beam.beta.to(at::kDouble) / (4 * pi);
}

at::Tensor attenuation(const PropagationBeam& beam) {
  return 4 * pi * beam.beta.to(at::kDouble) / beam.wavelength.to(at::kDouble);
}

at::Tensor by_transport(const at::Tensor& thickness, const PropagationBeam& beam, const PropagationSpec& spec) {
  const at::Tensor mu = attenuation(beam).to(thickness.device(), thickness.scalar_type());
  const at::Tensor area = transport_area(beam).to(thickness.device());
  const auto response = [&](const at::Tensor& down, const at::Tensor& along) {
    return 1 + area * (negative_laplacian(down, spec.pixel_v, spec.form) +
                       negative_laplacian(along, spec.pixel_u, spec.form));
  };
  const auto transmitted = [&](const at::Tensor& views) { return at::exp(-mu * views); };
  return filter_views(thickness, spec.extension, response, spec.cancel, transmitted);
}

at::Tensor by_differences(const at::Tensor& thickness, const PropagationBeam& beam, const PropagationSpec& spec) {
  const at::Tensor mu = attenuation(beam).to(thickness.device(), thickness.scalar_type());
  const at::Tensor area = transport_area(beam);
  const auto weight = [&](double pixel) {
    return (area / (pixel * pixel)).to(thickness.device(), thickness.scalar_type());
  };
  const at::Tensor a = at::exp(-mu * thickness);
  return a - weight(spec.pixel_v) * slope(slope(a, 1), 1) - weight(spec.pixel_u) * slope(slope(a, 2), 2);
}

at::Tensor by_fresnel(const at::Tensor& thickness, const PropagationBeam& beam, const PropagationSpec& spec) {
  const int64_t views = thickness.size(0), rows = thickness.size(1), cols = thickness.size(2);
  const bool edge = spec.extension == ImageExtension::edge;
  const CentredPadding down = edge ? centred_padding(rows) : CentredPadding{rows, 0, 0};
  const CentredPadding along = edge ? centred_padding(cols) : CentredPadding{cols, 0, 0};
  const auto options = thickness.options().dtype(at::kDouble).requires_grad(false);
  const auto converted = [&](const at::Tensor& x) { return x.to(thickness.device(), thickness.scalar_type()); };
  const at::Tensor fv = at::fft_fftfreq(down.length, spec.pixel_v, options).view({-1, 1});
  const at::Tensor fu = at::fft_fftfreq(along.length, spec.pixel_u, options).view({1, -1});
  const at::Tensor chi = pi * beam.wave_area.to(options) * (fv.square() + fu.square());
  const at::Tensor propagator =
      converted(chi.cos()) - at::complex(at::zeros_like(converted(chi)), converted(chi.sin()));
  const at::Tensor half_mu = converted(0.5 * attenuation(beam));
  const at::Tensor phase = converted(2 * pi * beam.delta.to(at::kDouble) / beam.wavelength.to(at::kDouble));
  const int64_t chunk = std::clamp<int64_t>(samples_at_once / (down.length * along.length), 1, views);
  std::vector<at::Tensor> parts;  // joined, because gradients must not pass through copies into slices of an output
  for (int64_t first = 0; first < views; first += chunk) {
    spec.cancel.check();
    at::Tensor t = thickness.narrow(0, first, std::min(chunk, views - first));
    if (edge) t = at::replication_pad2d(t, {along.before, along.after, down.before, down.after});
    const at::Tensor amplitude = at::exp(-half_mu * t), angle = phase * t;
    const at::Tensor wave = at::complex(amplitude * angle.cos(), -amplitude * angle.sin());
    const at::Tensor there = at::view_as_real(at::fft_ifft2(at::fft_fft2(wave) * propagator))
                                 .narrow(1, down.before, rows)
                                 .narrow(2, along.before, cols);
    parts.push_back(there.square().sum(-1));
  }
  return at::cat(parts);
}

}  // namespace

Result<at::Tensor> propagate(const at::Tensor& thickness, const PropagationBeam& beam, const PropagationSpec& spec) {
  TL_TRY(check_phase_input(thickness, beam.delta, beam.wave_area, spec.pixel_u, spec.pixel_v, "propagation"));
  constexpr double positive = 1e-300;
  TL_TRY(check_number(beam.delta, 0, "delta"));
  TL_TRY(check_number(beam.beta, positive, "beta"));
  TL_TRY(check_number(beam.wavelength, positive, "the wavelength"));
  TL_TRY(check_number(beam.wave_area, 0, "wavelength times distance"));
  if (thickness.numel() == 0) return thickness;
  switch (spec.model) {
    case PropagationModel::transport: return by_transport(thickness, beam, spec);
    case PropagationModel::two_pixel: return by_differences(thickness, beam, spec);
    case PropagationModel::fresnel: break;
  }
  return by_fresnel(thickness, beam, spec);
}

}  // namespace tl::ops
