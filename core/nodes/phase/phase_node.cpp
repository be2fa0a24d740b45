// Shared by the phase-retrieval nodes: checks, physical setting and outputs.
#include "core/nodes/phase/phase_node.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/values/crop.h"
#include "gpu/correction/minus_log.h"
#include "gpu/phase/phase_conventions.h"

namespace tl {
namespace {

// A parameter that may be learned, or the value that replaces "auto".
at::Tensor quantity(const Learnable<std::optional<double>>& p, double fallback) {
  return p.tensor.defined() ? p.tensor : at::scalar_tensor(p.value.value_or(fallback), at::kDouble);
}
template <Dimension D>
at::Tensor quantity(const Learnable<std::optional<Stored<D>>>& p, double fallback) {
  return p.tensor.defined() ? p.tensor : at::scalar_tensor(p.value ? p.value->value : fallback, at::kDouble);
}
double value_of(const at::Tensor& number) { return number.detach().item<double>(); }

template <class T>
bool is_given(const Learnable<std::optional<T>>& p) {
  return p.value || p.tensor.defined();
}

Result<RefractiveIndex> index_of_material(const MaterialParams& p, double energy) {
  if (p.energy.tensor.defined())
    return invalid("tables of materials have no derivative with respect to the energy", "energy",
                   "Give delta/beta, and absorption as the result, or delta and beta, to learn the energy");
  return refractive_index(p.material, p.density ? std::optional<double>(p.density->value) : std::nullopt, energy);
}

Result<void> set_ratio(const PhaseParams& p, PhaseSetting& s) {
  const bool by_ratio = is_given(p.delta_over_beta);
  if (p.alpha && by_ratio) return invalid("both delta/beta and alpha are given", "alpha", "Give one of them");
  const char* const ratio = by_ratio ? "delta_over_beta" : "alpha";
  if ((by_ratio || p.alpha) && (is_given(p.delta) || is_given(p.beta)))
    return invalid(std::string(is_given(p.delta) ? "delta" : "beta") +
                       " is given, and so is delta/beta by another "
                       "parameter",
                   ratio, std::string("Give delta and beta, or set ") + ratio + " to auto and leave them out");
  const bool thickness = p.output == PhaseOutput::thickness;
  if (thickness || !(by_ratio || p.alpha)) {
    TL_TRY(const DeltaAndBeta index, delta_and_beta(p, s));
    if (thickness) s.attenuation = 4 * pi * index.beta / s.wavelength;
    s.delta_over_beta = index.delta / index.beta;
  }
  if (by_ratio) s.delta_over_beta = quantity(p.delta_over_beta, 0);
  if (p.alpha) s.delta_over_beta = at::scalar_tensor(ops::ratio_of_tomopy_alpha(*p.alpha), at::kDouble);
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
  Projections out = contiguous_part(whole, {{0, in.geometry.views()}, w.rows, w.cols});
  out.kind = result_kind(p.output);
  r.out("projections", std::move(out));
}

}  // namespace

Result<BeamSetting> beam_setting(const MaterialParams& p, const ProjectionsInfo& scan) {
  BeamSetting s;
  const auto orbit = scan.geometry.orbit();
  const at::Tensor energy = quantity(p.energy, scan.energy);
  s.energy = value_of(energy);
  constexpr double same_size = 0.01;
  if (orbit)
    for (const double m : orbit->magnification)
      if (std::abs(m - 1) > same_size)
        return invalid("views are magnified by up to " + format_quantity(m, Unit::none) +
                           ": phase retrieval needs one pixel size for all of them, within 1 %",
                       "projections", "Set magnifications after this node");
  if (!(s.energy > 0))
    return invalid("the photon energy is not known", "energy", "The scan does not give it: set it here");
  const at::Tensor distance = quantity(p.distance, orbit ? orbit->axis_to_detector : 0);
  const double behind = value_of(distance);
  if (!(behind > 0))
    return invalid("the distance from sample to detector is not known", "distance",
                   "The scan does not give it: set it here");
  const DetectorShape& d = scan.geometry.detector();
  s.pixel_u = d.pitch_u;
  s.pixel_v = d.pitch_v;
  const double before = orbit && orbit->beam == Beam::cone ? orbit->source_to_axis : 0;
  s.chi_nyquist = ops::paganin_chi_nyquist(s.energy, ops::propagation_plane(before, behind, d.pitch_u, d.pitch_v));
  // z M^2 = z2 M with the magnification M = (z1 + z2) / z1: distance and pixel size of the equivalent parallel beam, on
  // the detector.
  s.wavelength = ops::wavelength(1) / energy;
  s.wave_area = s.wavelength * distance;
  if (before > 0) s.wave_area = s.wave_area * (1 + distance / before);
  return s;
}

Result<DeltaAndBeta> delta_and_beta(const MaterialParams& p, const BeamSetting& beam) {
  RefractiveIndex index;
  if (!is_given(p.delta) || !is_given(p.beta)) {
    TL_TRY(index, index_of_material(p, beam.energy));
  }
  return DeltaAndBeta{quantity(p.delta, index.delta), quantity(p.beta, index.beta)};
}

Result<PhaseSetting> phase_setting(const PhaseParams& p, const ProjectionsInfo& scan) {
  TL_TRY(const BeamSetting beam, beam_setting(p, scan));
  PhaseSetting s{beam, {}, {}};
  TL_TRY(set_ratio(p, s));
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
  // Padded to twice each side, transformed forth and back, complex: for the few views that are filtered at a time.
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t pixels = all.rows.size() * all.cols.size(), views = std::get<ScanRegion>(wanted).views.size();
  constexpr int64_t together = int64_t{1} << 16;  // pixels of several small views filtered together, before padding
  const int64_t at_once = std::clamp<int64_t>(together / std::max<int64_t>(pixels, 1), 1, std::max<int64_t>(views, 1));
  return (2 * views + 16 * at_once) * pixels * element_size;
}

void warn_of_fine_details(const BeamSetting& s, NodeRun& r) {
  if (s.chi_nyquist <= 1 || std::get<ScanRegion>(r.region).views.begin != 0) return;
  r.message(LogLevel::warning,
            "pi lambda z f^2 is " + format_quantity(std::round(s.chi_nyquist * 100) / 100, Unit::none) +
                " at the pixel size: beyond 1 the transport of intensity is not valid for the finest details");
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
    case PhaseOutput::absorption: put(p, absorption, r); break;
    case PhaseOutput::thickness:
      put(p, absorption / s.attenuation.to(absorption.device(), absorption.scalar_type()), r);
      break;
    case PhaseOutput::transmission: put(p, at::exp(-absorption), r); break;
  }
  return ok();
}

}  // namespace tl
