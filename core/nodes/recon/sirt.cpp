// core/nodes/recon/sirt.cpp: simultaneous iterative reconstruction.
#include <ATen/ATen.h>

#include "core/nodes/recon/sirt_node.h"

namespace tl::recon_sirt_node {

using Params = SirtParams;

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  const solve::Sirt solver(t.subsets(1), p.spec(), t.loop.cancel);
  solve::SirtState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.sirt", 1).title("SIRT");
  n.remedy("missing_angles");
  n.summary("SIRT, simultaneous iterative reconstruction technique: weighted gradient steps, for any scan.");
  n.description(
      "Projects the estimate, subtracts it from the scan and back-projects the difference, each ray and each voxel "
      "weighted by its sum (row and column sums of the projector). All views are used at once, without a filter. Use "
      "it for few, uneven or limited views, tilted axes and laminography. The weighted residual never grows; stopping "
      "early keeps the noise low.");
  n.cite(
      "P. Gilbert, Iterative methods for the three-dimensional reconstruction of an object from projections, J. Theor. "
      "Biol. 36, 105 (1972)");
  n.synonyms({"iterative", "algebraic", "ART", "least squares", "limited angle", "few views", "laminography"});
  describe_iterative_node(n);
  describe_sirt_params(n);
  declare_method<solve_volume>(n);
}

}  // namespace tl::recon_sirt_node

TL_NODE(recon_sirt)
