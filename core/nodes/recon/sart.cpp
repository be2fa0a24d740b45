// core/nodes/recon/sart.cpp: iterative reconstruction from ordered subsets of views.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/nodes/recon/sirt_node.h"

namespace tl::recon_sart_node {

struct Params : SirtParams {
  Params() { iterations = 10; }
  std::optional<int64_t> subsets;
};

// Ten views make a subset that is balanced and still moves fast.
int64_t subset_count(const Params& p, int64_t views) {
  return p.subsets ? *p.subsets : std::max<int64_t>(1, views / 10);
}

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  const solve::Sirt solver(t.subsets(subset_count(p, t.geometry.views())), p.spec(), t.loop.cancel);
  solve::SirtState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.sart", 1).title("SART");
  n.remedy("missing_angles");
  n.summary("SART and OS-SART: fast iterative reconstruction from ordered subsets of views.");
  n.description(
      "Updates the estimate after every subset of views; successive subsets lie far apart in angle. One iteration uses "
      "all views and costs as much as one of SIRT, but gains about as much as one of SIRT per subset. With as many "
      "subsets as views it is SART. On noisy data it does not converge completely: lower the relaxation, or stop "
      "early.");
  n.cite(
      "A. H. Andersen, A. C. Kak, Simultaneous algebraic reconstruction technique (SART), Ultrasonic Imaging 6, 81 "
      "(1984)");
  n.synonyms({"OS-SART", "ordered subsets", "iterative", "algebraic", "ART"});
  describe_iterative_node(n);
  n.param("subsets", "Subsets", &Params::subsets)
      .range(1, 1000000)
      .automatic("one for every ten views")
      .help("Number of subsets, at most one per view; more need fewer iterations but converge less steadily.");
  describe_sirt_params(n);
  declare_method<solve_volume>(n);
}

}  // namespace tl::recon_sart_node

TL_NODE(recon_sart)
