// core/nodes/recon/back_projection.cpp: plain back-projection of any scan onto any grid.
#include <ATen/ATen.h>

#include "core/nodes/filtered_views.h"
#include "gpu/projection/back_projector/back_projector.h"

namespace tl::recon_back_projection_node {

enum class Scale { sum, mean };

struct Params : GridParams {
  Scale scale = Scale::mean;
};

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const auto& scan = scan_of(in);
  TL_TRY(const VolumeGrid grid, wanted_grid(scan.geometry, p));
  return Infos{{"volume", VolumeInfo{grid, Unit::none, scan.pending, voxel_size_of(scan)}}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"projections", needed_views(in, wanted)}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& grid = std::get<VolumeGrid>(r.region);
  const int64_t margin = row_margin(in.geometry, grid);
  TL_TRY(OperatorPtr back,
         make_back_projector({with_row_margin(in.geometry, margin), grid, DistanceWeight::none, r.cancel()}));
  at::Tensor sum = tl::apply(back, with_row_margin(in.data, margin).contiguous(), in.vectors);
  if (p.scale == Scale::mean) sum = sum / static_cast<double>(in.geometry.views());
  return r.done("volume", Volume{sum, grid, Unit::none});
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.back_projection", 1).title("Back-projection").category("Reconstruction");
  n.summary("Unfiltered back-projection: spreads the views back along their rays, without the ramp filter.");
  n.description(
      "Each voxel becomes the sum or mean, over the views, of the value of the pixel that it projects to, in the unit "
      "of the views; any geometry and any kind of pixel. The image is blurred: use it in objectives, to check a "
      "geometry, or in a method of your own, and FBP or FDK for a reconstruction.");
  n.cite("A. C. Kak, M. Slaney, Principles of Computerized Tomographic Imaging, IEEE Press 1988, chapter 3");
  n.synonyms({"unfiltered", "adjoint", "transpose", "laminogram", "smear", "backprojection", "plain back-projection"});
  n.input<Projections>("projections", "Any scan.");
  n.output<Volume>("volume", "The back-projection.");
  n.param("scale", "Scale", &Params::scale, {{Scale::sum, "sum", "Sum"}, {Scale::mean, "mean", "Mean"}})
      .help("Sum over the views, or their mean.");
  declare_grid(n, "the pixel size");
  n.on_gpu();
  n.infos(infos).needs(needs).run(run);
}

}  // namespace tl::recon_back_projection_node

TL_NODE(recon_back_projection)
