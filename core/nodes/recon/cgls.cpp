// core/nodes/recon/cgls.cpp: conjugate gradients for least squares.
#include <ATen/ATen.h>

#include "core/nodes/recon/iterative_node.h"
#include "gpu/solve/cgls.h"

namespace tl {
namespace recon_cgls_node {

struct Params : IterativeParams {
  Params() { iterations = 20; }
};

Result<void> check(const Params& p, const Infos& in) { return check_iterative(p, in); }
Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return iterative_infos(p, in); }
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return iterative_needs(p, in, wanted, SliceCoupling::independent);
}
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return iterative_workspace(p, in, wanted, element_size, SliceCoupling::independent, {5, 4});
}

at::Tensor solve_volume(const IterativeTask& t) {
  const solve::Cgls solver(t.equations(), t.slices_apart ? solve::Coupling::by_slice : solve::Coupling::joint);
  solve::CglsState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

Result<void> run(const Params& p, NodeRun& r) { return run_iterative(p, r, SliceCoupling::independent, solve_volume); }

void describe(NodeBuilder<Params>& n) {
  n.id("recon.cgls", 1).title("CGLS");
  n.remedy("missing_angles");
  n.summary(
      "CGLS, conjugate gradients for least squares: iterative reconstruction with the fastest decrease of the "
      "residual.");
  n.description(
      "Applies conjugate gradients to the normal equations: of all methods that use the projector once and its "
      "transpose once per iteration it comes closest to the data. Ten to thirty iterations are usual; more fit the "
      "noise. Values may become negative, since limits would break the method.");
  n.cite(
      "M. R. Hestenes, E. Stiefel, Methods of conjugate gradients for solving linear systems, J. Res. Natl. Bur. "
      "Stand. 49, 409 (1952)");
  n.synonyms({"conjugate gradients", "least squares", "iterative", "Krylov"});
  describe_iterative_node(n);
  declare_grid(n, "the pixel size at the axis");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace recon_cgls_node

TL_NODE(recon_cgls)

}  // namespace tl
