// core/nodes/segment/fill_holes.cpp: fills cavities of labels that do not reach the border of the volume.
#include <ATen/ATen.h>

#include "core/io/volumes/label_table.h"
#include "core/nodes/segment/component_slabs.h"

namespace tl::segment_fill_holes_node {

struct Params {
  std::optional<int64_t> most_voxels;
  int64_t number = 1;
};

// Searches the background with face connectivity: cavities count as closed where objects touch only by edges.
constexpr ComponentSearch<Params> search{"labels", [](const Params&) { return ops::Connectivity::faces; },
                                         [](const Params&, const NodeRun& r) {
                                           return SearchedVoxels{r.in<Labels>("labels").data.eq(0), {}};
                                         }};

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(const NumberedSlabs found, (numbered_slabs<Params, search>(r)));
  const ops::SlabComponents& background = slabs_in(*r.findings).components();
  std::vector<bool> fill(background.voxels().size() + 1, false);
  for (std::size_t i = 0; i + 1 < fill.size(); ++i)
    fill[i + 1] = !background.at_border()[i] && (!p.most_voxels || background.voxels()[i] <= *p.most_voxels);
  const at::Tensor labels = r.in<Labels>("labels").data.to(at::kInt).masked_fill(kept_voxels(found.numbers, fill),
                                                                                 static_cast<int32_t>(p.number));
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("labels", Labels{labels_at(labels, found.grid, wanted), wanted});
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.fill_holes", 1).title("Fill holes").category("Segmentation");
  n.not_differentiable("labels are integers");
  n.summary("Fills the cavities of labels: background that does not reach the border of the volume.");
  n.description(
      "Voxels of the background are connected by faces. In a volume of several slices the lowest and the highest "
      "slice are borders too; a volume of one slice is filled within it.");
  n.synonyms({"holes", "cavities", "closed pores", "solid"});
  n.input<Labels>("labels", "Labels: 0 is the background.");
  n.output<Labels>("labels", "The same, with the cavities labelled.");
  n.param("most_voxels", "Most voxels", &Params::most_voxels)
      .range(1, 1e15)
      .automatic("cavities of any size")
      .help("Larger cavities are left open.");
  n.param("number", "Number", &Params::number)
      .range(1, io::max_label_numbers - 1)
      .help("The number that the cavities get.");
  describe_search<Params, search>(n);
  n.run(run);
}

}  // namespace tl::segment_fill_holes_node

TL_NODE(segment_fill_holes)
