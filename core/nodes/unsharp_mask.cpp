// core/nodes/unsharp_mask.cpp: sharpening by adding what a Gaussian takes away.
#include "core/nodes/filter_node.h"
#include "gpu/ops/gaussian_filter.h"

namespace tl {
namespace {

struct Params {
  FilterSpan span = FilterSpan::volume;
  double sigma = 1, amount = 1;
};

constexpr double truncate = 4;  // standard deviations

ops::Reach reach_of(const Params& p) { return filter_reach(p.span, ops::gaussian_reach(p.sigma, truncate)); }

Result<void> run(const Params& p, NodeRun& r) {
  const Neighbourhood around =
      neighbourhood(r.info<VolumeInfo>("volume").grid, std::get<VolumeGrid>(r.region), reach_of(p));
  const VolumeGrid& g = around.grid;
  const double along_z = p.span == FilterSpan::volume ? p.sigma : 0;
  TL_TRY(OperatorPtr sharpen, ops::make_unsharp_mask(
                                  {g.nz, g.ny, g.nx, {along_z, p.sigma, p.sigma}, truncate, r.cancel()}, p.amount));
  put_filtered(tl::apply(sharpen, r.in<Volume>("volume").data), around, r);
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.unsharp", 1).title("Unsharp mask");
  n.summary("Sharpens a volume by adding what a Gaussian takes away.");
  n.description(
      "The result is v + amount (v - smoothed v). It regains detail that phase retrieval or a soft detector has blurred, "
      "and amplifies noise by up to 1 + amount. The mean of the volume stays.");
  n.synonyms({"sharpen", "high-pass", "conditional sharpening"});
  describe_filter_node<Params, reach_of>(n);
  n.param("sigma", &Params::sigma).title("Width").unit(Unit::px).range(0.05, 100)
      .help("Standard deviation of the Gaussian in voxels: about the blur to be removed.");
  n.param("amount", &Params::amount).title("Amount").range(0, 100).help("How much of the difference is added.");
  n.run(run);
}

}  // namespace

TL_NODE(unsharp_mask, Params, describe)

}  // namespace tl
