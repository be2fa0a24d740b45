// core/nodes/recon/forward_projection.cpp: views of a volume in the geometry of a scan.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "gpu/projection/projector/projector.h"

namespace tl {
namespace recon_forward_projection_node {

struct Params {};

Result<Infos> infos(const Params&, const Infos& in, const Findings*) {
  ProjectionsInfo scan = std::get<ProjectionsInfo>(in.at("like"));
  scan.kind = PixelKind::absorption;
  scan.flats = scan.darks = 0;
  scan.pending = scan.pending || volume_of(in).pending;
  return Infos{{"projections", scan}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"volume", full_region(in.at("volume"))}, {"like", wanted}};
}

Result<void> run(const Params&, NodeRun& r) {
  const auto& volume = r.in<Volume>("volume");
  const auto& like = r.in<Projections>("like");
  TL_TRY(OperatorPtr project, make_projector({like.geometry, volume.grid, r.cancel()}));
  Projections out;
  out.geometry = like.geometry;
  out.vectors = like.vectors;
  out.kind = PixelKind::absorption;
  out.data = tl::apply(project, volume.data.contiguous(), like.vectors);
  r.out("projections", std::move(out));
  return ok();
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
  n.input<Volume>("volume", "Attenuation in 1/mm.");
  n.input<Projections>("like", "A scan that gives the geometry; its pixels are not used.");
  n.output<Projections>("projections", "Absorption in that geometry.");
  n.on_gpu();
  n.infos(infos).needs(needs).run(run);
}

}  // namespace recon_forward_projection_node

TL_NODE(recon_forward_projection)

}  // namespace tl
