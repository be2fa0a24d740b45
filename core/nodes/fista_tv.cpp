// core/nodes/fista_tv.cpp: total-variation reconstruction by FISTA.
#include <ATen/ATen.h>

#include "core/nodes/iterative_node.h"
#include "gpu/solve/fista_tv.h"

namespace tl {
namespace {

enum class Smoothing { volume, slices };
enum class Negative { keep, zero };

struct Params : IterativeParams {
  Params() { iterations = 50; }
  Attenuation strength{1e-3};
  Smoothing smoothing = Smoothing::volume;
  Negative negative = Negative::zero;
  int64_t denoising = 10;
};

SliceLink link_of(const Params& p) { return p.smoothing == Smoothing::volume ? SliceLink::linked : SliceLink::apart; }

Result<void> check(const Params& p, const Infos& in) { return check_iterative(p, in); }
Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return iterative_infos(p, in); }
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return iterative_needs(p, in, wanted, link_of(p));
}
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return iterative_workspace(p, in, wanted, element_size, link_of(p), {14, 6});
}

at::Tensor solve_volume(const Params& p, const IterativeTask& t) {
  solve::TvSpec tv;
  const double norm = t.norm();
  tv.lambda = p.strength.value * norm * norm;  // as if the projector had norm 1: independent of views and pixel size
  tv.sign = p.negative == Negative::zero ? solve::Sign::non_negative : solve::Sign::any;
  tv.weights = p.smoothing == Smoothing::volume ? difference_weights(t.grid) : ops::DifferenceWeights{0, 1, 1};
  const solve::FistaTv solver(t.equations(), {tv, p.denoising});
  solve::FistaState state = solver.start(t.start, norm, t.loop.cancel);
  solver.run(state, t.loop);
  return state.x;
}

Result<void> run(const Params& p, NodeRun& r) {
  return run_iterative(p, r, link_of(p), [&](const IterativeTask& t) { return solve_volume(p, t); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.fista_tv", 1).title("FISTA-TV");
  n.summary("Total-variation reconstruction by accelerated gradient steps.");
  n.description(
      "Finds the same volume as the total-variation node: gradient steps with momentum, each followed by a denoising "
      "of "
      "the volume. It needs fewer projections than Chambolle and Pock's method and more passes over the volume.");
  n.cite(
      "A. Beck, M. Teboulle, Fast gradient-based algorithms for constrained total variation image denoising and "
      "deblurring problems, IEEE Trans. Image Process. 18, 2419 (2009)");
  n.synonyms({"TV", "FISTA", "total variation", "compressed sensing", "few views", "regularised", "iterative"});
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
  n.param("denoising", &Params::denoising)
      .title("Denoising steps")
      .range(1, 1000)
      .advanced()
      .help("Inner iterations of the denoising; they start from where the last ones ended.");
  declare_grid(n, "the pixel size at the axis");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace

TL_NODE(fista_tv, Params, describe)

}  // namespace tl
