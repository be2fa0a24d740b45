// core/nodes/recon/fista_tv.cpp: total-variation reconstruction by FISTA.
#include <ATen/ATen.h>

#include "core/nodes/recon/tv_node.h"
#include "gpu/solve/fista_tv.h"

namespace tl::recon_fista_tv_node {

struct Params : TvParams {
  Params() { iterations = 50; }
  int64_t denoising = 10;
  [[nodiscard]] static SolverMemory solver_memory() { return {14, 6}; }
};

// Inner iterations end once they change the volume by a hundredth of what the outer one does: with smoothing far below
// the contrast two of them are enough, near the solution all of them are made.
constexpr double settled = 0.01;

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  const double norm = t.norm();
  // Slices solved apart may come in any blocks: the restart for one must not depend on another.
  const auto momentum =
      p.slice_coupling() == SliceCoupling::independent ? solve::MomentumRule::limited : solve::MomentumRule::guarded;
  const solve::FistaSpec spec{tv_spec(p, t, norm), p.denoising, settled, momentum};
  if (const auto task = differentiated(p, t, norm)) return solve::fista_tv(*task, spec);
  const solve::FistaTv solver(t.equations(), spec);
  solve::FistaState state = solver.start(t.start, norm, t.loop.cancel);
  solver.run(state, t.loop);
  return state.x;
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.fista_tv", 1).title("FISTA-TV");
  n.remedy("missing_angles");
  n.summary("FISTA-TV: total-variation reconstruction by accelerated proximal gradient steps.");
  n.description(
      "Finds the same volume as the total-variation node, by gradient steps with momentum, each followed by "
      "total-variation denoising of the volume. A step that would raise the objective is rejected and the momentum "
      "restarted, so the objective never grows although the denoising is not exact. With smoothing within slices every "
      "step is taken, with half of the momentum: the same minimum in more iterations. It needs fewer projections than "
      "the method of Chambolle and Pock and more passes over the volume.");
  n.cite(
      "A. Beck, M. Teboulle, Fast gradient-based algorithms for constrained total variation image denoising and "
      "deblurring problems, IEEE Trans. Image Process. 18, 2419 (2009)");
  n.synonyms({"TV", "FISTA", "total variation", "compressed sensing", "few views", "regularised", "iterative",
              "proximal gradient", "regularization"});
  describe_tv_node(n);
  n.advanced_param("denoising", "Denoising steps", &Params::denoising)
      .range(1, 1000)
      .help(
          "Largest number of inner iterations of the denoising. They start from the result of the last ones and stop "
          "early where they hardly change it. The result after many iterations does not depend on this number; below "
          "about 5, strong smoothing needs more outer iterations.");
  declare_method<solve_volume>(n, IterativeGradients::passed);
}

}  // namespace tl::recon_fista_tv_node

TL_NODE(recon_fista_tv)
