// core/nodes/gaussian_filter.cpp: Gaussian smoothing of a volume.
#include "gpu/ops/gaussian_filter.h"

#include "core/nodes/filter_node.h"

namespace tl {
namespace {

struct Params {
  FilterSpan span = FilterSpan::volume;
  double sigma = 1;
};

constexpr double truncate = 4;  // standard deviations

ops::Reach reach_of(const Params& p) { return filter_reach(p.span, ops::gaussian_reach(p.sigma, truncate)); }

Result<void> run(const Params& p, NodeRun& r) {
  const Neighbourhood around =
      neighbourhood(r.info<VolumeInfo>("volume").grid, std::get<VolumeGrid>(r.region), reach_of(p));
  const VolumeGrid& g = around.grid;
  const double along_z = p.span == FilterSpan::volume ? p.sigma : 0;
  TL_TRY(OperatorPtr smooth,
         ops::make_gaussian_filter({g.nz, g.ny, g.nx, {along_z, p.sigma, p.sigma}, truncate, r.cancel()}));
  put_filtered(tl::apply(smooth, r.in<Volume>("volume").data), around, r);
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.gaussian", 1).title("Gaussian filter");
  n.summary("Smooths a volume with a Gaussian.");
  n.description(
      "Averages neighbours with the weights of a Gaussian that ends at four standard deviations. Borders are mirrored, "
      "so the sum of the volume is kept and the filter is its own transpose.");
  n.synonyms({"blur", "smooth", "low-pass", "denoise"});
  describe_filter_node<Params, reach_of>(n);
  n.param("sigma", &Params::sigma).title("Width").unit(Unit::px).range(0.05, 100)
      .help("Standard deviation of the Gaussian in voxels.");
  n.run(run);
}

}  // namespace

TL_NODE(gaussian_filter, Params, describe)

}  // namespace tl
