// core/nodes/recon/fbp.cpp: filtered (or plain) back-projection of a parallel-beam scan onto any grid.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/window_sums.h"

namespace tl::recon_fbp_node {

struct Params : FilterParams, GridParams {};

Result<void> check(const Params& params, const Infos& in) {
  const auto& p = scan_of(in);
  if (!p.geometry.is_parallel())
    return invalid("FBP needs a parallel beam", "projections", "Use the FDK node for a cone beam");
  TL_TRY(check_ray_weights(params, p.geometry));
  return require_line_integrals(p);
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const auto& scan = scan_of(in);
  TL_TRY(const VolumeGrid grid, wanted_grid(scan.geometry, p, p));
  const Unit unit = !p.filter || scan.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return Infos{{"volume", VolumeInfo{grid, unit, scan.pending, voxel_size_of(scan)}}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"projections", needed_views(in, wanted)}};
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return filtered_bytes(p, in, wanted, element_size);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& grid = std::get<VolumeGrid>(r.region);
  const FilterTask task{static_cast<const FilterParams&>(p), in.geometry.detector().pitch_u, ConeWeights::none,
                        row_margin(in.geometry, grid)};
  TL_TRY(const at::Tensor volume, filtered_back_projection(task, in, grid, DistanceWeight::none, r));
  const Unit unit = !p.filter || in.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return r.done("volume", Volume{volume, grid, unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.fbp", 1).title("FBP").category("Reconstruction");
  n.summary("Filtered back-projection (FBP): fast reconstruction of a parallel-beam scan.");
  n.description(
      "Filters every detector row with the ramp filter and back-projects it with linear interpolation. Values are "
      "attenuation per mm. Reconstructs the whole volume, one slice or an oblique plane, and reads only the detector "
      "rows that this needs. Each view is weighted by the angle that it stands for, so uneven, limited and repeated "
      "angles are handled; half acquisition (a full turn with the axis near the edge of the detector) and more than "
      "half a turn get ray weights. With the filter 'none' it is the plain back-projection, the transpose of the line "
      "integral.");
  n.cite("A. C. Kak, M. Slaney, Principles of Computerized Tomographic Imaging, IEEE Press 1988, chapter 3");
  n.synonyms({"filtered back-projection", "back-projection", "ramp", "parallel", "half acquisition", "ramp filter",
              "extended field of view"});
  n.input<Projections>("projections", "Absorption (line integrals) of a parallel-beam scan.");
  n.output<Volume>("volume", "Attenuation, slices along the rotation axis.");
  declare_filter(n, "the plain back-projection");
  declare_grid(n, "the pixel size");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::recon_fbp_node

TL_NODE(recon_fbp)
