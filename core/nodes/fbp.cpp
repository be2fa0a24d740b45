// core/nodes/fbp.cpp: filtered (or plain) back-projection of a parallel-beam scan onto any grid.
#include <ATen/ATen.h>

#include "core/base/coverage.h"
#include "core/node/node_builder.h"
#include "core/nodes/filtered_views.h"
#include "gpu/ops/back_projector.h"

namespace tl {
namespace {

struct Params {
  RampChoice filter = RampChoice::ram_lak;
  double cutoff = 1;
  ops::RowExtension extension = ops::RowExtension::zero;
  std::optional<Length> voxel_size;
  std::optional<int64_t> width;
};

Result<void> check(const Params&, const Infos& in) {
  const auto& p = std::get<ProjectionsInfo>(in.at("projections"));
  if (!p.geometry.is_parallel())
    return invalid("FBP needs a parallel beam", "projections", "Use the FDK node for a cone beam");
  return needs_line_integrals(p);
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  const auto& scan = std::get<ProjectionsInfo>(in.at("projections"));
  VolumeGrid grid = natural_grid(scan.geometry);
  TL_TRY(resize(grid, p.voxel_size, p.width));
  const Unit unit = p.filter == RampChoice::none || scan.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  return Infos{{"volume", VolumeInfo{grid, unit, scan.pending}}};
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  const auto& scan = std::get<ProjectionsInfo>(in.at("projections"));
  return Regions{{"projections", region_seen(scan.geometry, std::get<VolumeGrid>(wanted))}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  const auto& scan = std::get<ProjectionsInfo>(in.at("projections"));
  // The filtered views, and the back-projector's rearranged copy of them.
  return 2 * region_seen(scan.geometry, std::get<VolumeGrid>(wanted)).count() * element_size;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& grid = std::get<VolumeGrid>(r.region);
  FilterTask task{p.filter, p.cutoff, p.extension, in.geometry.detector().pitch_u, ConeWeights::none};
  TL_TRY(at::Tensor filtered, filtered_views(task, in, r));
  TL_TRY(OperatorPtr back, make_back_projector({in.geometry, grid, DistanceWeight::none, r.cancel()}));
  const Unit unit = p.filter == RampChoice::none || in.kind == PixelKind::thickness ? Unit::none : Unit::per_mm;
  r.out("volume", Volume{tl::apply(back, filtered.to(r.device), in.vectors).to(at::kCPU), grid, unit});
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.fbp", 1).title("FBP").category("Reconstruction");
  n.summary("Fast reconstruction of a parallel-beam scan.");
  n.description(
      "Filters every detector row with the ramp filter and back-projects it with linear interpolation. Reconstructs any "
      "grid: the whole volume, one slice, or an oblique plane, and only the detector rows that see it are read. Views "
      "are weighted with the angle they stand for, so uneven, limited and repeated angles are handled. Values are "
      "attenuation per mm. With the filter 'none' it is the plain back-projection, the transpose of the line integral.");
  n.cite("A. C. Kak, M. Slaney, Principles of Computerized Tomographic Imaging, IEEE Press 1988, chapter 3");
  n.synonyms({"filtered back-projection", "back-projection", "ramp", "parallel"});
  n.input<Projections>("projections", "Absorption (line integrals) of a parallel-beam scan.");
  n.output<Volume>("volume", "Attenuation, slices along the rotation axis.");
  n.param("filter", &Params::filter, ramp_choices())
      .title("Filter")
      .help("Ramp filter with a window that trades sharpness for noise; 'none' is the plain back-projection.");
  n.param("cutoff", &Params::cutoff)
      .title("Cutoff")
      .unit(Unit::nyquist)
      .range(0.01, 1)
      .help("Frequencies above this fraction of the Nyquist frequency are removed; lower is smoother.");
  n.param("extension", &Params::extension, {{"zero", "Nothing"}, {"edge", "Repeat the edge"}})
      .title("Beyond the detector")
      .advanced()
      .help("What the filter assumes beyond the detector: repeat the edge when the object is wider than the detector.");
  n.param("voxel_size", &Params::voxel_size)
      .title("Voxel size")
      .unit(Unit::um)
      .range(1e-6, 1e9)
      .automatic("the pixel size")
      .help("Edge of a cubic voxel.");
  n.param("width", &Params::width)
      .title("Width")
      .range(1, 1 << 20)
      .automatic("as many voxels as it takes to cover the detector's width")
      .advanced()
      .help("Slices are this many voxels wide and high.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace

TL_NODE(fbp, Params, describe)

}  // namespace tl
