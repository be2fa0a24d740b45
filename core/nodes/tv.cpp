// core/nodes/tv.cpp: total-variation reconstruction by Chambolle and Pock.
#include <ATen/ATen.h>

#include "core/nodes/iterative_node.h"
#include "gpu/solve/chambolle_pock.h"

namespace tl {
namespace {

enum class Smoothing { volume, slices };
enum class Negative { keep, zero };

struct Params : IterativeParams {
  Params() { iterations = 200; }
  Attenuation strength{1e-3};
  Smoothing smoothing = Smoothing::volume;
  Negative negative = Negative::zero;
};

SliceLink link_of(const Params& p) { return p.smoothing == Smoothing::volume ? SliceLink::linked : SliceLink::apart; }

Result<void> check(const Params& p, const Infos& in) { return check_iterative(p, in); }
Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return iterative_infos(p, in); }
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return iterative_needs(p, in, wanted, link_of(p));
}
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return iterative_workspace(p, in, wanted, element_size, link_of(p), {9, 6});
}

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  solve::TvSpec tv;
  const double norm = t.norm();
  tv.lambda = p.strength.value * norm * norm;  // as if the projector had norm 1: independent of views and pixel size
  tv.sign = p.negative == Negative::zero ? solve::Sign::non_negative : solve::Sign::any;
  tv.weights = p.smoothing == Smoothing::volume ? difference_weights(t.grid) : ops::DifferenceWeights{0, 1, 1};
  const solve::ChambollePock solver(t.equations(), tv);
  solve::ChambollePockState state = solver.start(t.start, norm, t.loop.cancel);
  solver.run(state, t.loop);
  return state.x;
}

Result<void> run(const Params& p, NodeRun& r) {
  return run_iterative(p, r, link_of(p), [&](const IterativeTask& t) { return solve_volume(p, t); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.tv", 1).title("Total variation");
  n.summary("Reconstruction of piecewise smooth objects from few or noisy views.");
  n.description(
      "Finds the volume that fits the scan with the least total variation: regions become flat and edges stay sharp. "
      "It "
      "serves few views, missing wedges and low dose. The primal-dual method of Chambolle and Pock converges to the "
      "one "
      "minimum, but not evenly: watch the objective, not single iterations.");
  n.cite(
      "A. Chambolle, T. Pock, A first-order primal-dual algorithm for convex problems with applications to imaging, "
      "J. Math. Imaging Vis. 40, 120 (2011)");
  n.cite(
      "E. Y. Sidky, J. H. Jorgensen, X. Pan, Convex optimization problem prototyping for image reconstruction in "
      "computed tomography with the Chambolle-Pock algorithm, Phys. Med. Biol. 57, 3065 (2012)");
  n.synonyms({"TV", "Chambolle-Pock", "primal-dual", "compressed sensing", "few views", "regularised", "iterative"});
  describe_iterative_node(n);
  n.param("strength", &Params::strength)
      .title("Strength")
      .unit(Unit::per_mm)
      .range(0, 1e6)
      .help(
          "Weight of the smoothing, an attenuation: structure whose contrast is well below it disappears. Start at a "
          "hundredth of the object's attenuation.");
  n.param("smoothing", &Params::smoothing, {{"volume", "In three dimensions"}, {"slices", "Within slices"}})
      .title("Smoothing")
      .help(
          "Whether neighbouring slices smooth each other. Within slices, single slices of a parallel beam are computed "
          "alone, which makes live previews fast.");
  n.param("negative", &Params::negative, {{"keep", "Keep"}, {"zero", "Set to 0"}})
      .title("Negative values")
      .help("Attenuation cannot be negative: knowing that helps with few views.");
  declare_grid(n, "the pixel size at the axis");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace

TL_NODE(tv, Params, describe)

}  // namespace tl
