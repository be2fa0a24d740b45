// core/nodes/median_filter.cpp: median of the voxels around each voxel.
#include "gpu/ops/median_filter.h"

#include "core/nodes/filter_node.h"

namespace tl {
namespace {

struct Params {
  FilterSpan span = FilterSpan::volume;
  int64_t size = 3;
};

ops::Reach reach_of(const Params& p) { return filter_reach(p.span, p.size / 2); }

Result<void> run(const Params& p, NodeRun& r) {
  const Neighbourhood around =
      neighbourhood(r.info<VolumeInfo>("volume").grid, std::get<VolumeGrid>(r.region), reach_of(p));
  ops::MedianSpec spec;
  spec.reach = reach_of(p);
  spec.cancel = r.cancel();
  TL_TRY(at::Tensor filtered, ops::median_filter(r.in<Volume>("volume").data, spec));
  put_filtered(filtered, around, r);
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.median", 1).title("Median filter");
  n.summary("Replaces every voxel by the middle value of the box around it.");
  n.description(
      "Removes single wrong voxels and grain and keeps edges. Exact for any size: 3 x 3 x 3 takes seconds for a large "
      "volume, larger boxes take longer with the number of their voxels. Borders are mirrored; NaN counts as the largest "
      "value, so single dead voxels vanish.");
  n.cite("A. W. Paeth, Median finding on a 3x3 grid, Graphics Gems, Academic Press (1990)");
  n.synonyms({"despeckle", "denoise", "smooth", "salt and pepper"});
  describe_filter_node<Params, reach_of>(n);
  n.param("size", &Params::size).title("Size").unit(Unit::px).range(1, 31)
      .help("Edge of the box in voxels; an even number counts as the next odd one.");
  n.run(run);
}

}  // namespace

TL_NODE(median_filter, Params, describe)

}  // namespace tl
