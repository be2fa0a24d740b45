// core/nodes/recon/spectral_projection.cpp: views of labelled materials in the polychromatic beam of a tube.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/nodes/tube_params.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/spectral_model.h"

namespace tl::recon_spectral_projection_node {

struct Params : TubeParams {
  std::string materials = "C5O2H8 1.18; Al";
};

Result<void> check(const Params& p, const Infos&) {
  TL_TRY(const TubeBeam beam, tube_beam(p));
  TL_TRY(attenuation_tensor(p.materials, {beam.energies.back()}));
  return ok();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  ProjectionsInfo scan = std::get<ProjectionsInfo>(in.at("like"));
  scan.kind = PixelKind::absorption;
  scan.flats = scan.darks = 0;
  return Infos{{"projections", scan}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"labels", full_region(in.at("labels"))}, {"like", wanted}};
}

// A mask, the lengths of some materials and blocks of exponents.
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  const auto list = parse_materials(p.materials);
  const int64_t materials = list.ok() ? static_cast<int64_t>(list.value().size()) : 1;
  const double energies = (p.voltage.value.value - p.lowest.value) / p.energy_step.value + 1;
  const double exponents = static_cast<double>(region_bytes(wanted, 1)) * std::max(energies, 1.0);
  const auto together = static_cast<int64_t>(std::min(exponents, static_cast<double>(solve::exponents_at_once)));
  return region_bytes(full_region(in.at("labels")), element_size) + 2 * materials * region_bytes(wanted, element_size) +
         3 * together * element_size;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& labels = r.in<Labels>("labels");
  const auto& like = r.in<Projections>("like");
  TL_TRY(const TubeBeam beam, tube_beam(p));
  TL_TRY(const at::Tensor attenuation, attenuation_tensor(p.materials, beam.energies));
  TL_TRY(const OperatorPtr project, make_projector({like.geometry, labels.grid, r.cancel()}));
  if (const auto most = labels.data.numel() == 0 ? 0 : labels.data.max().item<int64_t>(); most > attenuation.size(0))
    r.message(LogLevel::warning, "labels from " + std::to_string(attenuation.size(0) + 1) + " to " +
                                     std::to_string(most) + " have no material: they count as air");
  std::vector<at::Tensor> lengths;
  for (int64_t m = 1; m <= attenuation.size(0); ++m)
    lengths.push_back(tl::apply(project, labels.data.eq(m).to(r.dtype).contiguous(), like.vectors));
  Projections out;
  out.geometry = like.geometry;
  out.vectors = like.vectors;
  out.kind = PixelKind::absorption;
  out.data = solve::polychromatic_absorption(at::stack(lengths), attenuation, beam.weight);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.spectral_projection", 1).title("Spectral projection").category("Reconstruction");
  n.summary("Views of labelled materials in the polychromatic beam of an X-ray tube.");
  n.description(
      "p = -ln( sum_E S_E exp(-sum_m mu_mE L_m) / sum_E S_E ) with the lengths L_m within the voxels of label m, by "
      "Joseph's method, and attenuations mu from the tables of xraylib. The spectrum is that of a thick target "
      "(Kramers' law, voltage / E - 1 photons) behind a filter, as a scintillator records it: photoelectric absorption "
      "times energy. Compared with measured views, voltage and filter thickness are learned through it; one uniform "
      "object of one material may not distinguish them.");
  n.cite(
      "H. A. Kramers, On the theory of X-ray absorption and of the continuous X-ray spectrum, Phil. Mag. 46, 836 "
      "(1923)");
  n.cite("Schoonjans et al., Spectrochim. Acta B 66 (2011) 776");
  n.synonyms({"polychromatic", "beam hardening", "simulation", "tube", "kVp", "spectrum", "forward model"});
  n.input<Labels>("labels", "Numbers of materials; 0 is air.");
  n.input<Projections>("like", "A scan that gives the geometry; its pixels are not used.");
  n.output<Projections>("projections", "Absorption in the polychromatic beam.");
  n.param("materials", "Materials", &Params::materials)
      .help(
          "Of the labels 1, 2, ..., separated by semicolons: formula, element or NIST name, and the density in g/cm3 "
          "where the tables have none; or 'bilinear' and the ratio of atomic numbers to water.");
  declare_tube(n, TubeUse::learned);
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::recon_spectral_projection_node

TL_NODE(recon_spectral_projection)
