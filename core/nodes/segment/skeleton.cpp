// core/nodes/segment/skeleton.cpp: centre lines of objects.
#include "gpu/segmentation/skeleton/skeleton.h"

#include <ATen/ATen.h>

#include "core/nodes/segment/segment_node.h"

namespace tl::segment_skeleton_node {

struct Params {
  std::string classes;
};

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  return info_of_classes(labels_of(in).grid, p.classes);
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) {
  return Regions(inputs_on(labels_of(in).grid, in));
}

Result<void> run(const Params&, NodeRun& r) {
  return put_labels_of_whole(r, r.info<LabelsInfo>("labels").grid, [&]() -> Result<at::Tensor> {
    TL_TRY(const at::Tensor lines, ops::skeleton(mask_of(r.in<Labels>("labels")), r.cancel()));
    return lines.to(at::kInt);
  });
}

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) {
  return bytes_of_whole(labels_of(in).grid, 12);  // per voxel: masks, and the list of border voxels in a step
}

void describe(NodeBuilder<Params>& n) {
  n.id("segment.skeleton", 1).title("Skeleton").category("Segmentation").partition(Partition::custom);
  n.not_differentiable("labels are integers");
  n.summary("Skeleton by thinning: centre lines and surfaces, one voxel thick, of all that is labelled.");
  n.description(
      "Voxels are removed from all sides as long as nothing is torn apart and no hole is opened or closed; ends of "
      "lines "
      "stay. Tubes become lines with their branches, rings stay rings, hollow bodies become closed surfaces. Rough "
      "surfaces give short side branches: smooth the labels first, by opening and closing. All numbers but 0 count as "
      "one; the whole volume has to fit into memory.");
  n.cite(
      "T. C. Lee, R. L. Kashyap, C. N. Chu, Building skeleton models via 3-D medial surface/axis thinning algorithms, "
      "CVGIP: Graph. Models Image Process. 56, 462 (1994)");
  n.synonyms({"thinning", "medial axis", "centerline", "centre line", "skeletonize", "network", "branches", "Lee94"});
  n.input<Labels>("labels", "Labels, in which all numbers but 0 are the object.");
  n.output<Labels>("labels", "1 on the skeleton, else 0.");
  declare_classes(n, &Params::classes);
  n.infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::segment_skeleton_node

TL_NODE(segment_skeleton)
