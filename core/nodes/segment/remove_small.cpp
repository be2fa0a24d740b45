// core/nodes/segment/remove_small.cpp: removes the connected objects of few voxels.
#include <ATen/ATen.h>

#include "core/nodes/segment/component_slabs.h"

namespace tl::segment_remove_small_node {

struct Params {
  int64_t least_voxels = 64;
  ops::Connectivity neighbours = ops::Connectivity::faces;
};

constexpr ComponentSearch<Params> search{"labels", [](const Params& p) { return p.neighbours; },
                                         [](const Params&, const NodeRun& r) {
                                           return SearchedVoxels{r.in<Labels>("labels").data.to(at::kInt), {}};
                                         }};

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(const NumberedSlabs found, (numbered_slabs<Params, search>(r)));
  const std::vector<int64_t>& voxels = slabs_in(*r.findings).components().voxels();
  std::vector<bool> keep(voxels.size() + 1, false);
  for (std::size_t i = 0; i < voxels.size(); ++i) keep[i + 1] = voxels[i] >= p.least_voxels;
  const at::Tensor labels = found.voxels * kept_voxels(found.numbers, keep);
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("labels", Labels{labels_at(labels, found.grid, wanted), wanted});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.remove_small", 1).title("Remove small objects").category("Segmentation");
  n.not_differentiable("labels are integers");
  n.summary("Removes connected objects of few voxels; the others keep their numbers.");
  n.description(
      "Neighbouring voxels of the same number are one object. Specks of noise vanish, whatever the size of the "
      "volume: objects are counted over all of it, slab by slab.");
  n.synonyms({"despeckle", "area opening", "specks", "islands", "size filter", "clean"});
  n.example({{"least_voxels", "200"}});
  n.input<Labels>("labels", "Labels: 0 is the background.");
  n.output<Labels>("labels", "The same without small objects.");
  n.param("least_voxels", "Least voxels", &Params::least_voxels)
      .range(0, 1e15)
      .help("Objects with fewer voxels are removed.");
  n.param("neighbours", "Neighbours", &Params::neighbours, neighbour_choices())
      .help("Which voxels are neighbours: those that share a face, at least an edge, or at least a corner.");
  describe_search<Params, search>(n);
  n.run(run);
}

}  // namespace tl::segment_remove_small_node

TL_NODE(segment_remove_small)
