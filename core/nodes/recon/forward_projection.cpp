// core/nodes/recon/forward_projection.cpp: views of a volume in the geometry of a scan.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/projection/projector/projector.h"

namespace tl::recon_forward_projection_node {

enum class Quantity { absorption, thickness };

struct Params {
  Quantity quantity = Quantity::absorption;
};

PixelKind projected_kind(const Params& p) {
  return p.quantity == Quantity::thickness ? PixelKind::thickness : PixelKind::absorption;
}

Result<void> check(const Params& p, const Infos& in) {
  if (p.quantity == Quantity::thickness && volume_of(in).unit != Unit::none)
    return invalid(
        "the volume is in " + std::string(symbol(volume_of(in).unit)) + ", so its projection is not a thickness",
        "quantity", "Project a mask, such as soft Otsu's, for a thickness");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = std::get<ProjectionsInfo>(in.at("like"));
  scan.kind = projected_kind(p);
  scan.flats = scan.darks = 0;
  scan.pending = scan.pending || volume_of(in).pending;
  return Infos{{"projections", scan}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"volume", full_region(in.at("volume"))}, {"like", wanted}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& volume = r.in<Volume>("volume");
  const auto& like = r.in<Projections>("like");
  TL_TRY(OperatorPtr project, make_projector({like.geometry, volume.grid, r.cancel()}));
  Projections out;
  out.geometry = like.geometry;
  out.vectors = like.vectors;
  out.kind = projected_kind(p);
  out.data = tl::apply(project, volume.data.contiguous(), like.vectors);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.forward_projection", 1).title("Forward projection").category("Reconstruction");
  n.summary("Forward projection of a volume: absorption in the geometry of a given scan.");
  n.description(
      "Computes line integrals through the volume by Joseph's method, in any geometry, with exact gradients with "
      "respect to the volume and the geometry. Use it to compare a reconstruction with the measured views "
      "(reprojection), or to simulate its scan.");
  n.cite(
      "P. M. Joseph, An improved algorithm for reprojecting rays through pixel images, IEEE Trans. Med. Imaging 1 "
      "(1982) 192");
  n.synonyms({"reprojection", "simulation", "Radon transform", "projector", "DRR", "line integrals", "Joseph"});
  n.input<Volume>("volume", "Attenuation in 1/mm, or a mask.");
  n.input<Projections>("like", "A scan that gives the geometry; its pixels are not used.");
  n.output<Projections>("projections", "Absorption, or thickness in mm, in that geometry.");
  n.param("quantity", "Result", &Params::quantity,
          {{Quantity::absorption, "absorption", "Absorption"}, {Quantity::thickness, "thickness", "Thickness [mm]"}})
      .help("Absorption, of attenuation; thickness, of a mask that is 1 inside the object: it has no unit.");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::recon_forward_projection_node

TL_NODE(recon_forward_projection)
