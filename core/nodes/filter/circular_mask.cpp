// core/nodes/filter/circular_mask.cpp: voxels outside a circle about the axis set to a constant.
#include "gpu/image/circular_mask.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"

namespace tl::filter_circular_mask_node {

struct Params {
  double radius = 1;
  double soft_edge = 0;
  double outside = 0;
};

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return 3 * region_bytes(wanted, element_size) + 3 * region_bytes(wanted, 8);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  const auto& part = std::get<VolumeGrid>(r.region);
  TL_TRY(at::Tensor weights, ops::circular_weights(part, {r.info<VolumeInfo>("volume").grid, p.radius, p.soft_edge},
                                                   in.data.scalar_type()));
  return r.done("volume", Volume{ops::masked(in.data, weights, p.outside), part, in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.circular_mask", 1).title("Circular mask").category("Filter").partition(Partition::pointwise);
  n.recommended_remedy("truncation");
  n.summary("Replaces the voxels outside a circle about the axis of the volume.");
  n.description(
      "Outside the field of view, the circle that the detector covers in every view, a reconstruction contains only "
      "artefacts. They widen the histogram and mislead thresholds: replace them by a constant.");
  n.synonyms({"circ mask", "crop circle", "field of view", "ROI", "circular mask", "circ_mask"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The same inside the circle.");
  n.param("radius", "Radius", &Params::radius)
      .range(0.01, 2)
      .help("Share of the circle inscribed in a slice; 1 touches its sides.");
  n.param("soft_edge", "Soft edge", &Params::soft_edge)
      .range(0, 1000, Unit::px)
      .help("Voxels inside the radius over which values fade, as a cosine; 0 is a sharp edge.");
  n.param("outside", "Value outside", &Params::outside)
      .range(-1e30, 1e30)
      .help("Value given to the voxels outside, in the unit of the volume.");
  n.on_gpu();
  n.workspace(workspace).run(run);
}

}  // namespace tl::filter_circular_mask_node

TL_NODE(filter_circular_mask)
