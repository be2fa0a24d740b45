// core/nodes/recon/em.cpp: expectation maximisation for Poisson data.
#include <ATen/ATen.h>

#include "core/nodes/recon/iterative_node.h"
#include "gpu/solve/em.h"

namespace tl::recon_em_node {

struct Params : IterativeParams {
  int64_t subsets = 1;
  [[nodiscard]] SolverMemory solver_memory() const { return {5 + 2.0 * static_cast<double>(subsets), 5}; }
};

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  const solve::Em solver(t.subsets(p.subsets), t.loop.cancel);
  solve::EmState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.em", 1).title("ML-EM");
  n.remedy("missing_angles");
  n.summary(
      "ML-EM, maximum-likelihood expectation maximisation: iterative reconstruction that keeps values non-negative.");
  n.description(
      "Multiplies the estimate by the back-projected ratio of measured to computed views. It finds the most likely "
      "volume when the projections are Poisson distributed, as in emission tomography and fluorescence; for weak "
      "absorption it is a robust method that never becomes negative. Negative projections count as 0. With subsets it "
      "is OS-EM.");
  n.cite(
      "L. A. Shepp, Y. Vardi, Maximum likelihood reconstruction for emission tomography, IEEE Trans. Med. Imaging 1, "
      "113 (1982)");
  n.cite(
      "H. M. Hudson, R. S. Larkin, Accelerated image reconstruction using ordered subsets of projection data, IEEE "
      "Trans. Med. Imaging 13, 601 (1994)");
  n.synonyms({"MLEM", "OSEM", "OS-EM", "expectation maximisation", "maximum likelihood", "fluorescence", "iterative",
              "ordered subsets", "emission tomography", "expectation maximization"});
  describe_iterative_node(n);
  n.param("subsets", "Subsets", &Params::subsets)
      .range(1, 1000)
      .help(
          "Number of ordered subsets of views; 1 is ML-EM; more converge faster and less steadily. Each takes the "
          "memory of a volume.");
  declare_method<solve_volume>(n);
}

}  // namespace tl::recon_em_node

TL_NODE(recon_em)
