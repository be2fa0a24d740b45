// core/nodes/paganin.cpp: single-distance phase retrieval of a homogeneous object.
#include "gpu/ops/paganin.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/crop.h"
#include "core/node/node_builder.h"
#include "core/physics/materials.h"
#include "gpu/ops/minus_log.h"

namespace tl {
namespace {

enum class Output { absorption, thickness, transmission };

struct Params {
  Learnable<std::optional<double>> delta_over_beta;
  std::string material = "Water, Liquid";
  std::optional<Density> density;
  std::optional<Energy> energy;
  std::optional<Length> distance;
  ops::PaganinForm form = ops::PaganinForm::continuous;
  Output output = Output::absorption;
};

struct Setting {
  double energy = 0;  // [keV]
  ops::PropagationPlane plane;
  RefractiveIndex index;  // only filled where the material is used
};

Result<Setting> setting_of(const Params& p, const ProjectionsInfo& scan) {
  Setting s;
  s.energy = p.energy ? p.energy->value : scan.energy;
  if (!(s.energy > 0)) return invalid("the photon energy is not known", "energy", "The scan does not give it: set it here");
  const auto orbit = scan.geometry.orbit();
  const bool cone = orbit && orbit->beam == Beam::cone;
  const double behind = p.distance ? p.distance->value : orbit ? orbit->axis_to_detector : 0;
  if (!(behind > 0))
    return invalid("the distance from sample to detector is not known", "distance", "The scan does not give it: set it here");
  const DetectorShape& d = scan.geometry.detector();
  s.plane = ops::propagation_plane(cone ? orbit->source_to_axis : 0, behind, d.pitch_u, d.pitch_v);
  const bool by_material = !p.delta_over_beta.value && !p.delta_over_beta.held.defined();
  if (by_material || p.output == Output::thickness) {
    TL_TRY(s.index, refractive_index(p.material, p.density ? std::optional<double>(p.density->value) : std::nullopt, s.energy));
  }
  return s;
}

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = std::get<ProjectionsInfo>(in.at("projections"));
  if (scan.kind != PixelKind::transmission)
    return invalid("phase retrieval needs transmission, this is " + std::string(to_string(scan.kind)), "projections",
                   "Set the result of the flat-field node to transmission");
  TL_TRY(Setting s, setting_of(p, scan));
  return s.energy > 0 ? ok() : Result<void>(invalid("the photon energy is not known", "energy"));
}

PixelKind result_kind(const Params& p) {
  return p.output == Output::absorption  ? PixelKind::absorption
         : p.output == Output::thickness ? PixelKind::thickness
                                         : PixelKind::transmission;
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = std::get<ProjectionsInfo>(in.at("projections"));
  scan.kind = result_kind(p);
  return Infos{{"projections", scan}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // Padded to twice each side, forth and back, complex: for the few views that the filter takes at a time.
  const ScanRegion all = std::get<ProjectionsInfo>(in.at("projections")).geometry.full();
  const int64_t view = all.rows.size() * all.cols.size() * element_size;
  return 2 * std::get<ScanRegion>(wanted).views.size() * view + 16 * view;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  TL_TRY(Setting s, setting_of(p, r.info<ProjectionsInfo>("projections")));
  const double chi = ops::paganin_chi_nyquist(s.energy, s.plane);
  if (chi > 1 && w.views.begin == 0)
    r.message(LogLevel::warning, "pi lambda z f^2 is " + format_quantity(std::round(chi * 100) / 100, Unit::none) +
                                     " at the pixel size: beyond 1 the retrieval is not valid for the finest details");
  const double ratio = p.delta_over_beta.value.value_or(s.index.beta > 0 ? s.index.delta / s.index.beta : 0);
  const at::Tensor strength = p.delta_over_beta.held.defined() ? p.delta_over_beta.held : at::scalar_tensor(ratio, at::kDouble);
  TL_TRY(at::Tensor t, ops::paganin(in.data, strength, {s.energy, s.plane, p.form, ops::ImageExtension::edge, r.cancel()}));
  if (p.output != Output::transmission) {
    TL_TRY(ops::MinusLog log, ops::minus_log(t, {}));
    t = p.output == Output::thickness ? log.absorption / s.index.attenuation : log.absorption;
  }
  Projections whole = in;
  whole.data = t;
  Projections out = crop(whole, {{0, in.geometry.views()}, w.rows, w.cols});
  out.kind = result_kind(p);
  out.data = out.data.contiguous();
  r.out("projections", std::move(out));
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("phase.paganin", 1).title("Paganin").category("Phase retrieval").partition(Partition::per_view);
  n.summary("Retrieves the projected thickness of a homogeneous object from one propagation distance.");
  n.description(
      "Low-pass filter 1 / (1 + z (delta/beta) lambda k^2 / (4 pi)), k in radians per length on the sample plane, with "
      "the effective distance and pixel of a cone beam, then -ln. The result is absorption mu T, or the thickness T in "
      "mm. Only the ratio delta/beta matters for the filter. Do not take another logarithm after it.");
  n.cite("D. Paganin, S. C. Mayo, T. E. Gureyev, P. R. Miller, S. W. Wilkins, J. Microsc. 206, 33 (2002)");
  n.cite("D. M. Paganin et al., Boosting spatial resolution by incorporating periodic boundary conditions into "
         "single-distance hard-x-ray phase retrieval, J. Phys. D (2020)");
  n.example({{"delta_over_beta", "300"}, {"energy", "20 keV"}, {"distance", "100 mm"}});
  n.synonyms({"phase retrieval", "TIE", "propagation"});
  n.input<Projections>("projections", "Transmission.");
  n.output<Projections>("projections", "Absorption, thickness or filtered transmission.");
  n.param("delta_over_beta", &Params::delta_over_beta).title("delta / beta").range(0, 1e7).learnable()
      .automatic("from material, density and energy").help("Ratio of refraction to absorption; larger is smoother.");
  n.param("material", &Params::material).title("Material").help("Chemical formula (CaCO3) or NIST name (Water, Liquid).");
  n.param("density", &Params::density).title("Density").unit(Unit::g_per_cm3).range(1e-6, 30)
      .automatic("the density of a NIST name; formulas need one").help("Density of the material.");
  n.param("energy", &Params::energy).title("Energy").unit(Unit::keV).range(1, 200).automatic("as the scan says").help("Photon energy.");
  n.param("distance", &Params::distance).title("Distance").unit(Unit::mm).range(1e-6, 1e7)
      .automatic("as the scan says").help("From the sample to the detector.");
  n.param("form", &Params::form, {{"continuous", "Paganin 2002"}, {"generalised", "Generalised (2020)"}})
      .title("Form").advanced().help("The generalised form keeps more detail at the pixel size.");
  n.param("output", &Params::output, {{"absorption", "Absorption"}, {"thickness", "Thickness [mm]"}, {"transmission", "Transmission"}})
      .title("Result").help("Absorption for reconstruction; thickness divides by the material's attenuation.");
  n.check(check).infos(infos).workspace(workspace).run(run);
}

}  // namespace

TL_NODE(paganin, Params, describe)

}  // namespace tl
