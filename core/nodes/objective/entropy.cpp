// core/nodes/objective/entropy.cpp: objective: entropy of an image's grey values.
#include "gpu/objective/entropy.h"

#include "core/nodes/objective/objective_node.h"

namespace tl::objective_entropy_node {

struct Params {
  int64_t bins = 64;
  std::optional<double> low, high;
};

Result<void> check(const Params& p, const Infos&) {
  if (p.low && p.high && !(*p.low < *p.high))
    return invalid("the upper end of the histogram is not above the lower end", "high",
                   "Give a value above the lower end");
  if (p.low.has_value() != p.high.has_value())
    return invalid("one end of the histogram is given, the other is not", p.low ? "high" : "low", "Give both, or none");
  return ok();
}

Result<void> run(const Params& p, NodeRun& r) {
  return put_loss(r, ops::entropy(r.in<Volume>("volume").data, {p.bins, p.low, p.high}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.entropy", 1).title("Entropy").partition(Partition::whole);
  n.summary("Scores an image by the entropy of its grey values: few distinct values are better than many.");
  n.description(
      "Computes the entropy from a histogram that is smooth in every grey value, so that gradients pass through it. An "
      "object of few materials has the least entropy when it is sharp and free of artefacts. For a rotation axis "
      "reconstruct from views on finer columns, and use half a turn: about a wrong axis a full turn only blurs, which "
      "lowers the entropy.");
  n.cite(
      "T. Donath, F. Beckmann, A. Schreyer, Automated determination of the center of rotation in tomography data, J. "
      "Opt. Soc. Am. A 23 (2006) 1048");
  n.cite(
      "P. Thevenaz, M. Unser, Optimization of mutual information for multiresolution image registration, IEEE Trans. "
      "Image Processing 9 (2000) 2083");
  n.synonyms({"objective", "loss", "histogram", "autofocus", "rotation axis", "information"});
  n.input<Volume>("volume", "Any volume.");
  describe_loss(n, "Entropy in bits; smaller is better.");
  n.param("bins", "Bins", &Params::bins).range(4, 4096).help("Number of bins of the histogram.");
  n.advanced_param("low", "Lower end", &Params::low)
      .automatic("four standard deviations below the mean")
      .help("Lower end of the histogram; darker values count there.");
  n.advanced_param("high", "Upper end", &Params::high)
      .automatic("four standard deviations above the mean")
      .help("Upper end of the histogram; brighter values count there.");
  n.check(check).run(run);
}

}  // namespace tl::objective_entropy_node

TL_NODE(objective_entropy)
