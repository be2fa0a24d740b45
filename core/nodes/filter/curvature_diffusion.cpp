// core/nodes/filter/curvature_diffusion.cpp: smoothing along edges, not across them.
#include "core/itk/filters.h"
#include "core/nodes/whole_volume.h"

namespace tl::filter_curvature_diffusion_node {

struct Params {
  int64_t steps = 5;
  double conductance = 1, time_step = 0.0625;
};

Result<void> run(const Params& p, NodeRun& r) {
  return put_whole_volume(r, r.info<VolumeInfo>("volume").unit, [&](const insight::VolumeView& in, float* out) {
    return insight::curvature_diffusion(in, {p.steps, p.time_step, p.conductance}, out, itk_call(r));
  });
}

Result<Regions> needs(const Params&, const Infos& in, const Region&) { return whole_volume_needs(in); }

int64_t workspace(const Params&, const Infos& in, const Region&, int64_t) { return 20 * volume_of(in).grid.count(); }

void describe(NodeBuilder<Params>& n) {
  n.id("filter.curvature_diffusion", 1).title("Curvature diffusion").category("Filter").partition(Partition::custom);
  n.not_differentiable("it is computed by ITK");
  n.summary("Anisotropic diffusion by curvature: smooths along edges and leaves their contrast.");
  n.description(
      "Each step moves the surfaces of equal value by their curvature, where the gradient is small against the mean "
      "one "
      "of the volume. Thin structures last longer than in a diffusion by the gradient alone. More steps smooth more; a "
      "lower conductance keeps weaker edges. The whole volume has to fit into memory.");
  n.cite("R. T. Whitaker, X. Xue, Variable-conductance, level-set curvature for image denoising, Proc. ICIP 2001");
  n.synonyms({"anisotropic diffusion", "Perona-Malik", "denoise", "edge-preserving", "ITK", "SimpleITK"});
  n.input<Volume>("volume", "Any volume without NaN.");
  n.output<Volume>("volume", "The smoothed volume.");
  n.param("steps", "Steps", &Params::steps).range(1, 100000).help("Number of smoothing steps.");
  n.param("conductance", "Conductance", &Params::conductance)
      .range(1e-3, 1e6)
      .help("Gradients above this many times the mean one are edges, and kept.");
  n.advanced_param("time_step", "Time step", &Params::time_step)
      .range(1e-6, 0.0625)
      .help("Time step of the diffusion; above 1/16 it would be unstable.");
  n.needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::filter_curvature_diffusion_node

TL_NODE(filter_curvature_diffusion)
