// core/nodes/recon/tv.cpp: total-variation reconstruction by Chambolle and Pock.
#include <ATen/ATen.h>

#include "core/nodes/recon/tv_node.h"

namespace tl::recon_tv_node {

enum class Steps { equal, filtered };

struct Params : TvParams {
  Params() { iterations = 200; }
  Steps steps = Steps::equal;
  [[nodiscard]] static SolverMemory solver_memory() { return {9, 6}; }
};

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  const double norm = t.norm();
  solve::TvSpec spec = tv_spec(p, t, norm);
  double filtered_norm = 0;
  if (p.steps == Steps::filtered) {
    spec.steps = solve::DualSteps::filtered;
    filtered_norm = t.filtered_norm();
  }
  if (auto task = differentiated(p, t, norm)) {
    task->filtered_norm = filtered_norm;
    return solve::chambolle_pock(*task, spec);
  }
  const solve::ChambollePock solver(t.equations(), spec);
  solve::ChambollePockState state = solver.start(t.start, norm, t.loop.cancel, filtered_norm);
  solver.run(state, t.loop);
  return state.x;
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.tv", 1).title("Total variation");
  n.remedy("missing_angles");
  n.summary("Total-variation (TV) reconstruction of piecewise smooth objects from few or noisy views.");
  n.description(
      "Finds the volume that fits the scan with the least total variation: regions become flat and edges stay sharp. "
      "Use it for few views, missing wedges and low dose. The primal-dual method of Chambolle and Pock converges to "
      "the unique minimum, but not evenly: watch the objective, not single iterations. With filtered steps some 60 "
      "iterations come closer to it than 400 with equal ones. Gradients pass through the iterations, to the strength "
      "at "
      "the price of a second reconstruction.");
  n.cite(
      "A. Chambolle, T. Pock, A first-order primal-dual algorithm for convex problems with applications to imaging, J. "
      "Math. Imaging Vis. 40, 120 (2011)");
  n.cite(
      "E. Y. Sidky, J. H. Jorgensen, X. Pan, Convex optimization problem prototyping for image reconstruction in "
      "computed tomography with the Chambolle-Pock algorithm, Phys. Med. Biol. 57, 3065 (2012)");
  n.cite("T. Pock, A. Chambolle, Diagonal preconditioning for first order primal-dual algorithms, ICCV (2011) 1762");
  n.synonyms({"TV", "Chambolle-Pock", "primal-dual", "compressed sensing", "few views", "regularised", "iterative",
              "total variation", "regularization"});
  describe_tv_node(n);
  n.param("steps", "Steps", &Params::steps,
          {{Steps::equal, "equal", "Equal"}, {Steps::filtered, "filtered", "Filtered"}})
      .help(
          "Equal steps in all data, or steps that grow with the frequency along the detector rows, as the ramp filter "
          "does: fewer iterations with the same result, where the smoothing is weak.");
  declare_method<solve_volume>(n, IterativeGradients::passed);
}

}  // namespace tl::recon_tv_node

TL_NODE(recon_tv)
