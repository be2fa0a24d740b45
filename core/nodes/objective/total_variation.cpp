// core/nodes/objective/total_variation.cpp: objective: total variation of an image.
#include <ATen/ATen.h>

#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/image.h"

namespace tl::objective_total_variation_node {

struct Params {
  double corner = 1e-4;
};

Result<void> run(const Params& p, NodeRun& r) {
  return put_loss(r, ops::total_variation_score(r.in<Volume>("volume").data, p.corner));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.total_variation", 1).title("Total variation of a slice").partition(Partition::whole).on_gpu();
  n.summary("Scores an image by its total variation: streaks, doubled edges and noise make it worse.");
  n.description(
      "Mean length of the gradient. It is small for images of few smooth parts, and every artefact adds to it. Use it "
      "in a weighted sum, as the regularisation of a learned image, but not to find a rotation axis: blur lowers it "
      "too.");
  n.cite(
      "L. I. Rudin, S. Osher, E. Fatemi, Nonlinear total variation based noise removal algorithms, Physica D 60 (1992) "
      "259");
  n.synonyms({"objective", "loss", "TV", "regularisation", "smoothness", "regularization"});
  n.input<Volume>("volume", "Any volume.");
  describe_loss(n, "Mean length of the differences to the next voxels; smaller is better.");
  n.advanced_param("corner", "Rounding", &Params::corner)
      .range(1e-12, 1e3)
      .help(
          "Differences well below this, in the unit of the volume, count as their square: that makes the score "
          "smooth.");
  n.run(run);
}

}  // namespace tl::objective_total_variation_node

TL_NODE(objective_total_variation)
