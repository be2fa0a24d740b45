// core/nodes/objective/squared_error.cpp: objective: mean squared error to a volume.
#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/compare.h"

namespace tl::objective_squared_error_node {

struct Params {
  ops::ErrorScale scale = ops::ErrorScale::relative;
};

Result<void> check(const Params&, const Infos& in) { return require_same_grid(in, "volume", "reference"); }

Result<void> run(const Params& p, NodeRun& r) {
  return put_loss(r, ops::mean_squared_error(r.in<Volume>("volume").data, r.in<Volume>("reference").data, p.scale));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.squared_error", 1).title("Squared error of a volume").partition(Partition::whole).on_gpu();
  n.summary("Scores a volume by its mean squared error (MSE) to a reference volume.");
  n.description("The simplest comparison; the training of networks usually minimises it.");
  n.synonyms({"objective", "loss", "MSE", "mean squared error", "L2", "difference"});
  n.input<Volume>("volume", "Volume that is scored.");
  n.input<Volume>("reference", "Reference volume on the same grid.");
  describe_loss(n, "Mean squared error; smaller is better.");
  describe_error_scale(n);
  n.check(check).run(run);
}

}  // namespace tl::objective_squared_error_node

TL_NODE(objective_squared_error)
