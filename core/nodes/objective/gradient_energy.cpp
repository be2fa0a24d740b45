// core/nodes/objective/gradient_energy.cpp: objective: gradient energy of an image.
#include "core/nodes/objective/objective_node.h"
#include "gpu/objective/image.h"

namespace tl::objective_gradient_energy_node {

struct Params {};

Result<void> run(const Params&, NodeRun& r) { return put_loss(r, -ops::gradient_energy(r.in<Volume>("volume").data)); }

void describe(NodeBuilder<Params>& n) {
  n.id("objective.gradient_energy", 1).title("Gradient energy").partition(Partition::whole).on_gpu();
  n.summary("Scores an image by its gradient energy: sharper edges are better.");
  n.description(
      "Minus the mean square difference of neighbouring voxels. Use it for the last pixel of an alignment; noise has "
      "edges too, so compare images of equal noise only. A rotation axis is found to a hundredth of a pixel over a "
      "full turn; over half a turn of a parallel beam the score is nearly the same about every axis (Parseval), so use "
      "the wedge or the entropy there. Reconstruct from views on finer columns ('Finer columns'): otherwise linear "
      "interpolation, which blurs most half-way between pixels, may pull the axis to whole pixels.");
  n.synonyms({"objective", "loss", "acutance", "autofocus", "sharpness", "edges"});
  n.input<Volume>("volume", "Any volume.");
  describe_loss(n, "Minus the mean square difference of neighbours; smaller is better.");
  n.run(run);
}

}  // namespace tl::objective_gradient_energy_node

TL_NODE(objective_gradient_energy)
