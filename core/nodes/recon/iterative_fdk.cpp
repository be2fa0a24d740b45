// core/nodes/recon/iterative_fdk.cpp: FDK (FBP in a parallel beam), refined by reconstructing the residual.
#include <ATen/ATen.h>

#include "core/nodes/recon/iterative_node.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/solve/refine.h"

namespace tl::recon_iterative_fdk_node {

struct Params : IterativeParams, FilterParams {
  Params() {
    iterations = 5;
    filter = ops::RampWindow::hann;
  }
  double relaxation = 1;
  std::optional<Attenuation> low;
};

Result<void> check(const Params& p, const Infos& in) {
  const ScanGeometry& g = scan_of(in).geometry;
  if (!g.is_parallel()) TL_TRY(check_fdk_orbit(g));
  if (!p.filter) return invalid("iterative FDK needs the ramp filter", "filter", "Choose a filter other than 'none'");
  TL_TRY(check_ray_weights(p, g));
  return check_iterative(p, in);
}
Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return iterative_infos(p, in); }
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return iterative_needs(p, in, wanted, SliceCoupling::independent);
}
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  return iterative_workspace(p, in, wanted, element_size, SliceCoupling::independent, {4, 8});
}

at::Tensor solve_volume(const Params& p, const IterativeTask& t, NodeRun& r) {
  const bool cone = !t.geometry.is_parallel();
  const FilterTask task{static_cast<const FilterParams&>(p), t.geometry.detector().pitch_u / t.geometry.magnification(),
                        cone ? ConeWeights::fdk : ConeWeights::none, row_margin(t.geometry, t.grid)};
  const ScanGeometry wide = with_row_margin(filtered_geometry(p, t.geometry).or_throw(), task.row_margin);
  const OperatorPtr back = make_back_projector({wide, t.grid, DistanceWeight::fdk, t.loop.cancel}).or_throw();
  const auto direct = [&](const at::Tensor& residual) {
    Projections views;
    views.data = residual;
    views.geometry = t.geometry;
    views.kind = PixelKind::absorption;
    return back->apply(filter_views_once(task, views, r).or_throw().contiguous());
  };
  const auto low = p.low ? std::optional<double>(p.low->value) : std::nullopt;
  const solve::Refine solver(t.equations(), direct, {p.relaxation, low});
  solve::RefineState state = solver.start(t.start);
  solver.run(state, t.loop);
  return state.x;
}

Result<void> run(const Params& p, NodeRun& r) {
  return run_iterative(p, r, SliceCoupling::independent, [&](const IterativeTask& t) { return solve_volume(p, t, r); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.iterative_fdk", 1).title("Iterative FDK");
  n.summary("Iterative FDK: adds the FDK (or FBP) reconstruction of the residual to the volume.");
  n.description(
      "Projects the reconstruction, subtracts it from the scan and adds the FDK reconstruction of the difference (FBP "
      "in a parallel beam). Use it against the cone-beam and few-view artefacts of FDK: a few iterations lower them, "
      "far sooner than SIRT. It may not converge on noisy scans: use a smooth filter, or a relaxation below 1.");
  n.cite("L. A. Feldkamp, L. C. Davis, J. W. Kress, Practical cone-beam algorithm, J. Opt. Soc. Am. A 1, 612 (1984)");
  n.synonyms({"IFDK", "iterative FBP", "refinement", "cone beam", "iterative"});
  describe_iterative_node(n);
  declare_filter(n, "not possible here");
  n.advanced_param("relaxation", "Relaxation", &Params::relaxation)
      .range(0.01, 1.99)
      .help("Share of each correction that is added.");
  n.param("low", "Not below", &Params::low)
      .unit(Unit::per_mm)
      .automatic("no limit")
      .help("Values below are set to it after every step; 0 keeps the attenuation from becoming negative.");
  declare_grid(n, "the pixel size at the axis");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::recon_iterative_fdk_node

TL_NODE(recon_iterative_fdk)
