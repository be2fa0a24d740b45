// core/nodes/segment/components.cpp: numbers the connected objects of labels.
#include "core/nodes/segment/component_slabs.h"

namespace tl::segment_components_node {

struct Params {
  ops::Connectivity neighbours = ops::Connectivity::faces;
};

constexpr ComponentSearch<Params> search{"labels", [](const Params& p) { return p.neighbours; },
                                         [](const Params&, const NodeRun& r) {
                                           return SearchedVoxels{r.in<Labels>("labels").data.to(at::kInt), {}};
                                         },
                                         "count"};

Result<void> run(const Params&, NodeRun& r) {
  TL_TRY(const NumberedSlabs found, (numbered_slabs<Params, search>(r)));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("labels", Labels{labels_at(found.numbers, found.grid, wanted), wanted});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.components", 1).title("Objects").category("Segmentation");
  n.not_differentiable("labels are integers");
  n.summary("Connected components: assigns a number to each connected object, and counts the objects.");
  n.description(
      "Neighbouring voxels of the same number are one object; 0 is the background. Objects are numbered from 1 in the "
      "order of their first voxels, from the lowest slice upward, in volumes of any size: the labels are read twice, "
      "slab by slab. There may be as many as voxels: saved labels hold numbers up to 2147483646.");
  n.cite(
      "L. He, Y. Chao, K. Suzuki, A run-based two-scan labeling algorithm, IEEE Trans. Image Process. 17, 749 (2008)");
  n.synonyms({"connected components", "label", "islands", "particles", "count", "blobs", "pores"});
  n.input<Labels>("labels", "Labels: 0 is the background.");
  n.output<Labels>("labels", "The number of the object of each voxel, 0 in the background.");
  n.output<Scalar>("count", "Number of objects.");
  n.param("neighbours", "Neighbours", &Params::neighbours, neighbour_choices())
      .help("Which voxels are neighbours: those that share a face, at least an edge, or at least a corner.");
  describe_search<Params, search>(n);
  n.infos([](const Params&, const Infos& in, const Findings*) -> Result<Infos> { return without_table(in); });
  n.run(run);
}

}  // namespace tl::segment_components_node

TL_NODE(segment_components)
