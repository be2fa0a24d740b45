// core/nodes/objective/malis.cpp: objective: objects that the probabilities of classes join or break, by MALIS.
#include <ATen/ATen.h>

#include "core/net/malis_loss.h"
#include "core/nodes/objective/objective_node.h"
#include "core/values/class_indices.h"

namespace tl::objective_malis_node {

struct Params {};

Result<void> check(const Params&, const Infos& in) {
  const auto& maps = std::get<MapsInfo>(in.at("probabilities"));
  if (!(std::get<LabelsInfo>(in.at("labels")).grid == maps.grid))
    return invalid("the labels are on another grid than the probabilities", "labels",
                   "Bring both onto one grid: reconstruct onto the grid of the labels");
  return ok();
}

Result<void> run(const Params&, NodeRun& r) {
  const at::Tensor inside = 1 - r.in<Maps>("probabilities").data.select(0, 0).to(at::kDouble);
  const LabelTable table{r.info<MapsInfo>("probabilities").channels, r.info<LabelsInfo>("labels").table.not_labelled};
  TL_TRY(const at::Tensor classes, class_indices(r.in<Labels>("labels").data, table, "labels"));
  if (!classes.gt(0).any().item<bool>())
    return invalid("no voxel is labelled as part of an object", "labels",
                   "Label at least one object with another class than the first, which lies between objects");
  return put_loss(r, net::malis_loss_of(inside, classes));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.malis", 1).title("Joined and broken objects (MALIS)").partition(Partition::whole);
  n.summary("How many pairs of voxels the probabilities of classes join into one object, or part, wrongly.");
  n.description(
      "With cells or grains that thin membranes part, a gap of one voxel joins two objects and costs hardly any "
      "cross-entropy. MALIS weighs each pair of neighbours by the pairs of voxels that it alone joins or parts "
      "wrongly: "
      "the edges of the maximum spanning tree of the probabilities, constrained by the labels. The first class lies "
      "between objects; an object is a connected part of another class, voxels that share a face. Voxels without a "
      "label lead nowhere. Start from probabilities that are nearly right, for example of a network trained by "
      "cross-entropy. A single slice has neighbours in its plane only.");
  n.cite(
      "S. Turaga, K. Briggman, M. Helmstaedter, W. Denk, S. Seung, Maximin affinity learning of image segmentation, "
      "NIPS 22 (2009) 1865");
  n.cite(
      "J. Funke et al., Large scale image segmentation with structured loss based deep learning for connectome "
      "reconstruction, IEEE Trans. Pattern Anal. 41 (2019) 1669");
  n.synonyms({"objective", "loss", "MALIS", "maximin", "affinity", "objects", "membranes", "segmentation"});
  n.input<Maps>("probabilities", "The probability of each class; the first one lies between objects.");
  n.input<Labels>("labels", "The true classes on the same grid, loaded or painted.");
  describe_loss(
      n, "Weighted mean of squared errors of affinities, of pairs within objects and of others; smaller is better.");
  n.check(check).run(run);
}

}  // namespace tl::objective_malis_node

TL_NODE(objective_malis)
