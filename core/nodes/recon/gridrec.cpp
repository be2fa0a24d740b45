// core/nodes/recon/gridrec.cpp: Fourier reconstruction of a parallel-beam scan by gridding.
#include "gpu/filtering/gridrec.h"

#include <ATen/ATen.h>

#include "core/nodes/recon/iterative_node.h"

namespace tl::recon_gridrec_node {

struct Params : IterativeParams {
  std::optional<ops::RampWindow> filter = ops::RampWindow::cosine;
  double cutoff = 1;
};

Result<void> check(const Params& p, const Infos& in) {
  const ScanGeometry& g = scan_of(in).geometry;
  if (!g.is_parallel() || !g.is_plain_circular())
    return invalid("gridrec needs a parallel beam and an upright axis", "projections", "Use FBP");
  if (!p.filter) return invalid("gridrec always applies a ramp filter", "filter", "Choose a filter other than 'none'");
  TL_TRY(const ScanGeometry filtered, filtered_geometry({}, g));
  if (p.width && *p.width > filtered.detector().cols)
    return invalid("gridrec makes slices up to the width of the field of view, " +
                       std::to_string(filtered.detector().cols) + " voxels",
                   "width", "Choose a smaller width, or FBP");
  return check_iterative(p, in);
}
Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return iterative_infos(p, in); }
Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  return iterative_needs(p, in, wanted, SliceCoupling::independent);
}
int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  // Of one pair of slices: the spectra of its views and their factors; half of a complex plane of twice the width, and
  // up to three planes in use by the threads.
  const ScanGeometry& g = scan_of(in).geometry;
  const auto filtered = filtered_geometry({}, g);
  const int64_t cols = (filtered.ok() ? filtered.value() : g).detector().cols;
  return iterative_workspace(p, in, wanted, element_size, SliceCoupling::independent, {2, 1}) +
         (8 * g.views() + 28 * cols) * cols * element_size;
}

// The views with their ray weights, on the wider detector of half acquisition.
at::Tensor weighted_views(const IterativeTask& t, ops::Redundancy kind, ops::GridrecSpec& spec) {
  const ops::DetectorMargins margins = ops::redundancy_margins(t.geometry, kind).or_throw();
  const at::Tensor rays = ops::redundancy_weights(t.geometry, kind).or_throw();
  spec.geometry = ops::with_detector_margins(t.geometry, margins);
  spec.view_weights.assign(static_cast<std::size_t>(t.geometry.views()), 1.0);
  const at::Tensor weighted = t.filled * rays.to(t.filled.device(), t.filled.scalar_type());
  return at::constant_pad_nd(weighted, {margins.before, margins.after}).contiguous();
}

Result<void> run(const Params& p, NodeRun& r) {
  TL_TRY(const ops::RedundancyAdvice rays, choose_ray_weights({}, r.in<Projections>("projections").geometry, r));
  return run_iterative(p, r, SliceCoupling::independent, [&](const IterativeTask& t) {
    ops::GridrecSpec spec;
    spec.geometry = t.geometry;
    spec.width = t.grid.nx;
    spec.window = *p.filter;
    spec.cutoff = p.cutoff;
    spec.cancel = t.loop.cancel;
    const at::Tensor views = rays.kind == ops::Redundancy::none ? t.filled : weighted_views(t, rays.kind, spec);
    return ops::gridrec(views, spec).or_throw();
  });
}

void describe(NodeBuilder<Params>& n) {
  n.id("recon.gridrec", 1).title("Gridrec").category("Reconstruction");
  n.summary("Gridrec, direct Fourier reconstruction: the fastest for many slices of a parallel-beam scan.");
  n.description(
      "Interpolates the Fourier transforms of the filtered views onto a Cartesian grid and transforms it back, two "
      "slices at a time. Values are attenuation per mm, those of FBP with the same filter except for the "
      "interpolation, which blurs less here: edges ring without a window, hence the default filter 'cosine'. The mean "
      "of a slice is kept. Half acquisition and more than half a turn get the ray weights of FBP. Voxels have the size "
      "of the pixels.");
  n.cite(
      "B. A. Dowd et al., Developments in synchrotron x-ray computed microtomography at the National Synchrotron Light "
      "Source, Proc. SPIE 3772, 224 (1999)");
  n.cite(
      "F. Marone, M. Stampanoni, Regridding reconstruction algorithm for real-time tomographic imaging, J. Synchrotron "
      "Rad. 19, 1029 (2012)");
  n.synonyms({"Fourier", "regridding", "direct Fourier", "parallel", "Fourier slice theorem"});
  n.not_differentiable("FBP gives the same image and is differentiable");
  n.input<Projections>("projections", "Absorption (line integrals) of a parallel-beam scan.");
  n.output<Volume>("volume", "Attenuation, slices along the rotation axis.");
  n.param("filter", "Filter", &Params::filter, ramp_choices())
      .help("Ramp filter with a window that trades sharpness for noise; 'none' is not possible here.");
  n.param("cutoff", "Cutoff", &Params::cutoff)
      .range(0.01, 1, Unit::nyquist)
      .help("Frequencies above this fraction of the Nyquist frequency are removed; lower is smoother.");
  n.advanced_param("width", "Width", static_cast<std::optional<int64_t> Params::*>(&Params::width))
      .range(1, 1 << 20)
      .automatic("the width of the field of view: the detector's, more with half acquisition")
      .help("Slices are this many voxels wide and high, at most as many as the field of view.");
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::recon_gridrec_node

TL_NODE(recon_gridrec)
