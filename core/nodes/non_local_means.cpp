// core/nodes/non_local_means.cpp: averages of voxels whose surroundings look alike.
#include "gpu/ops/non_local_means.h"

#include "core/nodes/filter_node.h"

namespace tl {
namespace {

struct Params {
  FilterSpan span = FilterSpan::slices;
  int64_t search = 5, patch = 1;
  double strength = 0.8;
  std::optional<double> noise;
};

ops::Reach reach_of(const Params& p) { return filter_reach(p.span, p.search + p.patch); }

Result<Regions> measured(const Params&, const Infos& in) { return noise_region(in); }
Result<Findings> measure(const Params&, NodeRun& r) { return noise_found(r); }

Result<void> run(const Params& p, NodeRun& r) {
  const Neighbourhood around =
      neighbourhood(r.info<VolumeInfo>("volume").grid, std::get<VolumeGrid>(r.region), reach_of(p));
  ops::NonLocalMeansSpec spec;
  spec.search = filter_reach(p.span, p.search);
  spec.patch = filter_reach(p.span, p.patch);
  spec.noise = p.noise.value_or(noise_of(r));
  spec.strength = p.strength * spec.noise;
  spec.cancel = r.cancel();
  const at::Tensor& data = r.in<Volume>("volume").data;
  // Without noise there is nothing to smooth.
  if (!(spec.strength > 0)) {
    put_filtered(data, around, r);
    return ok();
  }
  TL_TRY(at::Tensor filtered, ops::non_local_means(data, spec));
  put_filtered(filtered, around, r);
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.non_local_means", 1).title("Non-local means");
  n.not_differentiable("its weights depend on the values, and their derivative is not provided");
  n.summary("Averages every voxel with those nearby whose surroundings look alike.");
  n.description(
      "Keeps fine structures that repeat, where other filters blur. The time grows with the number of voxels searched: "
      "in "
      "the volume choose a search of 2 or 3. Without a noise, that of the middle slice is used.");
  n.cite("A. Buades, B. Coll, J.-M. Morel, A non-local algorithm for image denoising, CVPR 2005");
  n.cite("J. Darbon et al., Fast nonlocal filtering applied to electron cryomicroscopy, ISBI 2008");
  n.synonyms({"NLM", "denoise", "smooth"});
  describe_filter_node<Params, reach_of>(n);
  n.param("search", &Params::search)
      .title("Search")
      .unit(Unit::px)
      .range(1, 20)
      .help("Voxels to each side in which similar ones are looked for.");
  n.param("patch", &Params::patch)
      .title("Patch")
      .unit(Unit::px)
      .range(0, 5)
      .help("Voxels to each side that are compared.");
  n.param("strength", &Params::strength)
      .title("Strength")
      .range(0.01, 100)
      .help("Smoothing in units of the noise; larger is smoother.");
  n.param("noise", &Params::noise)
      .title("Noise")
      .range(0, 1e12)
      .automatic("that of the middle slice")
      .help("Standard deviation of the noise in the unit of the volume.");
  n.measure(measured, measure).run(run);
}

}  // namespace

TL_NODE(non_local_means, Params, describe)

}  // namespace tl
