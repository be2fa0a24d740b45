// core/nodes/objective/cross_entropy.cpp: objective: cross-entropy to a mask.
#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/compare.h"

namespace tl::objective_cross_entropy_node {

struct Params {
  ops::ScoreMeaning meaning = ops::ScoreMeaning::probability;
};

Result<void> check(const Params&, const Infos& in) { return require_same_grid(in, "volume", "target"); }

Result<void> run(const Params& p, NodeRun& r) {
  const at::Tensor &volume = r.in<Volume>("volume").data, &target = r.in<Volume>("target").data;
  put_entropy_by_band(r, volume, target, p.meaning);
  return put_loss(r, ops::cross_entropy(volume, target, p.meaning));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.cross_entropy", 1).title("Cross-entropy").partition(Partition::whole).on_gpu();
  n.summary("Cross-entropy of a soft segmentation and a mask.");
  n.description(
      "Mean over the voxels of -log of the probability given to the class in the mask, in nats: the usual objective of "
      "segmentation. The mask holds 0 and 1, or shares in between.");
  n.cite("C. M. Bishop, Pattern Recognition and Machine Learning, Springer (2006), section 4.3");
  n.synonyms({"objective", "loss", "segmentation", "log loss", "classification", "mask"});
  n.input<Volume>("volume", "Probabilities, for example of a soft threshold.");
  n.input<Volume>("target", "Mask of 0 and 1 on the same grid.");
  describe_loss(n, "Cross-entropy in nats; smaller is better.");
  describe_bands_of_volume(n);
  n.param("meaning", "The volume holds", &Params::meaning,
          {{ops::ScoreMeaning::probability, "probability", "Probabilities"},
           {ops::ScoreMeaning::logits, "logits", "Log odds"}})
      .help("Probabilities from 0 to 1, or their log odds, any number: then 0 means one half.");
  n.check(check).run(run);
}

}  // namespace tl::objective_cross_entropy_node

TL_NODE(objective_cross_entropy)
