// core/nodes/segment/hysteresis.cpp: voxels above a low threshold that are connected to some above a high one.
#include <ATen/ATen.h>

#include "core/nodes/segment/component_slabs.h"

namespace tl::segment_hysteresis_node {

struct Params {
  double low = 0, high = 0;
  ops::Connectivity neighbours = ops::Connectivity::faces;
  std::string classes;
};

constexpr ComponentSearch<Params> search{"volume", [](const Params& p) { return p.neighbours; },
                                         [](const Params& p, const NodeRun& r) {
                                           const at::Tensor& values = r.in<Volume>("volume").data;
                                           return SearchedVoxels{values > p.low, values > p.high};
                                         }};

Result<void> check(const Params& p, const Infos&) {
  if (p.low > p.high) return invalid("the lower threshold is above the upper one", "low", "Give low <= high");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(volume_of(in).grid, p.classes);
}

Result<void> run(const Params&, NodeRun& r) {
  TL_TRY(const NumberedSlabs found, (numbered_slabs<Params, search>(r)));
  const std::vector<bool>& marked = slabs_in(*r.findings).components().marked();
  std::vector<bool> keep(marked.size() + 1, false);
  std::copy(marked.begin(), marked.end(), keep.begin() + 1);
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("labels", Labels{labels_at(kept_voxels(found.numbers, keep).to(at::kInt), found.grid, wanted), wanted});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.hysteresis", 1).title("Hysteresis threshold").category("Segmentation");
  n.not_differentiable("labels are integers");
  n.role(NodeRole::hysteresis);
  n.summary("Hysteresis threshold: voxels above a low threshold that are connected to some above a high one.");
  n.description(
      "A high threshold alone breaks thin and faint parts, a low one alone labels noise: here a weak voxel counts "
      "where weak voxels connect it to a strong one. The thresholds of a Threshold node can be linked to both. The "
      "volume is read twice, slab by slab. NaN is in no object.");
  n.cite("J. Canny, A computational approach to edge detection, IEEE Trans. Pattern Anal. Mach. Intell. 8, 679 (1986)");
  n.synonyms({"double threshold", "two thresholds", "segmentation", "connected", "Canny"});
  n.example({{"low", "0.002"}, {"high", "0.005"}});
  n.input<Volume>("volume", "Any volume.");
  n.output<Labels>("labels", "1 in the objects, else 0.");
  n.param("low", "Low", &Params::low)
      .range(-1e30, 1e30)
      .help(
          "Voxels above this value belong to an object if it contains a voxel above the high threshold; in the unit of "
          "the volume.");
  n.param("high", "High", &Params::high)
      .range(-1e30, 1e30)
      .help("Voxels above it are strong, in the unit of the volume.");
  n.param("neighbours", "Neighbours", &Params::neighbours, neighbour_choices())
      .help("Which voxels are neighbours: those that share a face, at least an edge, or at least a corner.");
  declare_classes(n, &Params::classes);
  n.check(check).infos(infos);
  describe_search<Params, search>(n);
  n.run(run);
}

}  // namespace tl::segment_hysteresis_node

TL_NODE(segment_hysteresis)
