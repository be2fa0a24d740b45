// core/nodes/recon/cgls.cpp: conjugate gradients for least squares.
#include <ATen/ATen.h>

#include "core/nodes/recon/iterative_node.h"
#include "gpu/solve/cgls.h"

namespace tl::recon_cgls_node {

struct Params : IterativeParams {
  Params() { iterations = 20; }
  [[nodiscard]] static SolverMemory solver_memory() { return {5, 4}; }
};

at::Tensor solve_volume(const Params&, const IterativeTask& t) {
  const solve::Cgls solver(t.equations(), t.slices_apart ? solve::Coupling::by_slice : solve::Coupling::joint);
  solve::CglsState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

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
  declare_method<solve_volume>(n);
}

}  // namespace tl::recon_cgls_node

TL_NODE(recon_cgls)
