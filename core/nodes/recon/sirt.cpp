// core/nodes/recon/sirt.cpp: simultaneous iterative reconstruction.
#include <ATen/ATen.h>

#include "core/nodes/recon/sirt_node.h"

namespace tl {
namespace recon_sirt_node {

using Params = SirtParams;

Result<void> check(const Params& p, const Infos& in) { return check_sirt(p, in); }
Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return iterative_infos(p, in); }
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return iterative_needs(p, in, wanted, SliceCoupling::independent);
}
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return iterative_workspace(p, in, wanted, element_size, SliceCoupling::independent, {6, 4});
}

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  const solve::Sirt solver(t.subsets(1), p.spec(), t.loop.cancel);
  solve::SirtState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

Result<void> run(const Params& p, NodeRun& r) {
  return run_iterative(p, r, SliceCoupling::independent, [&](const IterativeTask& t) { return solve_volume(p, t); });
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
  declare_grid(n, "the pixel size at the axis");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace recon_sirt_node

TL_NODE(recon_sirt)

}  // namespace tl
