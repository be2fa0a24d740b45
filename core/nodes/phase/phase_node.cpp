// Implements what the phase-retrieval nodes share: checks, physical setting and outputs.
#include "core/nodes/phase/phase_node.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/values/crop.h"
#include "gpu/correction/minus_log.h"
#include "gpu/phase/phase_conventions.h"

namespace tl {
namespace {

// The number of a parameter that may be learned, and the tensor that carries its gradient.
struct Quantity {
  double value = 0;
  at::Tensor tensor;
};
template <class T>
Quantity quantity(const Learnable<std::optional<T>>& p, double otherwise) {
  if (p.held.defined()) return {p.held.detach().template item<double>(), p.held};
  const double value = p.value ? p.value->value : otherwise;
  return {value, at::scalar_tensor(value, at::kDouble)};
}

Result<void> use_material(const PhaseParams& p, double energy, PhaseSetting& s) {
  if (p.energy.held.defined())
    return invalid("tables of materials have no derivative with respect to the energy", "energy",
                   "Give delta/beta, and absorption as the result, to learn the energy");
  TL_TRY(s.index,
         refractive_index(p.material, p.density ? std::optional<double>(p.density->value) : std::nullopt, energy));
  return ok();
}

Result<void> set_ratio(const PhaseParams& p, double energy, PhaseSetting& s) {
  const bool by_ratio = p.delta_over_beta.value || p.delta_over_beta.held.defined();
  if (p.alpha && by_ratio) return invalid("both delta/beta and alpha are given", "alpha", "Give one of them");
  if (p.output == PhaseOutput::thickness || (!by_ratio && !p.alpha)) {
    TL_TRY(use_material(p, energy, s));
  }
  if (p.delta_over_beta.held.defined()) {
    s.delta_over_beta = p.delta_over_beta.held;
    return ok();
  }
  double ratio = p.delta_over_beta.value.value_or(s.index.beta > 0 ? s.index.delta / s.index.beta : 0);
  if (p.alpha) ratio = ops::ratio_of_tomopy_alpha(*p.alpha);
  s.delta_over_beta = at::scalar_tensor(ratio, at::kDouble);
  return ok();
}

PixelKind result_kind(PhaseOutput output) {
  return output == PhaseOutput::absorption  ? PixelKind::absorption
         : output == PhaseOutput::thickness ? PixelKind::thickness
                                            : PixelKind::transmission;
}

void put(const PhaseParams& p, const at::Tensor& data, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  Projections whole = in;
  whole.data = data;
  Projections out = crop(whole, {{0, in.geometry.views()}, w.rows, w.cols});
  out.kind = result_kind(p.output);
  out.data = out.data.contiguous();
  r.out("projections", std::move(out));
}

}  // namespace

Result<PhaseSetting> phase_setting(const PhaseParams& p, const ProjectionsInfo& scan) {
  PhaseSetting s;
  const auto orbit = scan.geometry.orbit();
  const Quantity energy = quantity(p.energy, scan.energy);
  if (!(energy.value > 0))
    return invalid("the photon energy is not known", "energy", "The scan does not give it: set it here");
  const Quantity behind = quantity(p.distance, orbit ? orbit->axis_to_detector : 0);
  if (!(behind.value > 0))
    return invalid("the distance from sample to detector is not known", "distance",
                   "The scan does not give it: set it here");
  TL_TRY(set_ratio(p, energy.value, s));
  const DetectorShape& d = scan.geometry.detector();
  s.pixel_u = d.pitch_u;
  s.pixel_v = d.pitch_v;
  const double before = orbit && orbit->beam == Beam::cone ? orbit->source_to_axis : 0;
  s.chi_nyquist =
      ops::paganin_chi_nyquist(energy.value, ops::propagation_plane(before, behind.value, d.pitch_u, d.pitch_v));
  // z M^2 = z2 M with the magnification M = (z1 + z2) / z1: distance and pixels as of a parallel beam, on the detector.
  s.wave_area = ops::wavelength(1) / energy.tensor * behind.tensor;
  if (before > 0) s.wave_area = s.wave_area * (1 + behind.tensor / before);
  return s;
}

Result<void> check_phase_node(const PhaseParams& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind != PixelKind::transmission)
    return invalid("phase retrieval needs transmission, this is " + std::string(to_string(scan.kind)), "projections",
                   "Set the result of the flat-field node to transmission");
  const auto setting = phase_setting(p, scan);
  return setting.ok() ? ok() : Result<void>(setting.error());
}

Result<Infos> phase_infos(const PhaseParams& p, const Infos& in) {
  ProjectionsInfo scan = scan_of(in);
  scan.kind = result_kind(p.output);
  return Infos{{"projections", scan}};
}

int64_t phase_workspace(const Infos& in, const Region& wanted, int64_t element_size) {
  // Padded to twice each side, forth and back, complex: for the few views that the filter takes at a time.
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t view = all.rows.size() * all.cols.size() * element_size;
  return 2 * std::get<ScanRegion>(wanted).views.size() * view + 16 * view;
}

void warn_of_fine_details(const PhaseSetting& s, NodeRun& r) {
  if (s.chi_nyquist <= 1 || std::get<ScanRegion>(r.region).views.begin != 0) return;
  r.message(LogLevel::warning, "pi lambda z f^2 is " +
                                   format_quantity(std::round(s.chi_nyquist * 100) / 100, Unit::none) +
                                   " at the pixel size: beyond 1 the retrieval is not valid for the finest details");
}

Result<void> put_transmission(const PhaseParams& p, const PhaseSetting& s, const at::Tensor& transmission, NodeRun& r) {
  if (p.output == PhaseOutput::transmission) {
    put(p, transmission, r);
    return ok();
  }
  TL_TRY(ops::MinusLog log, ops::minus_log(transmission, {}));
  return put_absorption(p, s, log.absorption, r);
}

Result<void> put_absorption(const PhaseParams& p, const PhaseSetting& s, const at::Tensor& absorption, NodeRun& r) {
  switch (p.output) {
    case PhaseOutput::absorption:
      put(p, absorption, r);
      break;
    case PhaseOutput::thickness:
      put(p, absorption / s.index.attenuation, r);
      break;
    case PhaseOutput::transmission:
      put(p, at::exp(-absorption), r);
      break;
  }
  return ok();
}

}  // namespace tl
