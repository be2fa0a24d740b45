// core/nodes/bilateral_filter.cpp: smoothing that stops at edges.
#include "gpu/ops/bilateral_filter.h"

#include <cmath>

#include "core/nodes/filter_node.h"

namespace tl {
namespace {

struct Params {
  FilterSpan span = FilterSpan::volume;
  double sigma = 1;
  std::optional<double> contrast;
};

// Differences of noise alone rarely exceed this many standard deviations.
constexpr double times_noise = 2.5;

ops::Reach reach_of(const Params& p) {
  return filter_reach(p.span, std::max<int64_t>(1, static_cast<int64_t>(std::ceil(2 * p.sigma))));
}

Result<Regions> measured(const Params&, const Infos& in) { return noise_region(in); }
Result<Findings> measure(const Params&, NodeRun& r) { return noise_found(r); }

Result<void> run(const Params& p, NodeRun& r) {
  const Neighbourhood around =
      neighbourhood(r.info<VolumeInfo>("volume").grid, std::get<VolumeGrid>(r.region), reach_of(p));
  ops::BilateralSpec spec;
  spec.reach = reach_of(p);
  spec.sigma_distance = p.sigma;
  spec.sigma_value = p.contrast.value_or(times_noise * noise_of(r));
  spec.cancel = r.cancel();
  const at::Tensor& data = r.in<Volume>("volume").data;
  // Without noise there is nothing to smooth.
  if (!p.contrast && !(spec.sigma_value > 0)) {
    put_filtered(data, around, r);
    return ok();
  }
  TL_TRY(at::Tensor filtered, ops::bilateral_filter(data, spec));
  put_filtered(filtered, around, r);
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.bilateral", 1).title("Bilateral filter");
  n.not_differentiable("its weights depend on the values, and their derivative is not provided");
  n.summary("Smooths a volume without crossing edges.");
  n.description(
      "Averages neighbours with weights that fall with the distance and with the difference in value, so that noise is "
      "smoothed and edges stay. Neighbours up to twice the width take part. Without a contrast, 2.5 times the noise of "
      "the middle slice is used.");
  n.cite("C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998");
  n.synonyms({"edge preserving", "denoise", "smooth"});
  describe_filter_node<Params, reach_of>(n);
  n.param("sigma", &Params::sigma).title("Width").unit(Unit::px).range(0.3, 15)
      .help("Standard deviation of the weights in space, in voxels.");
  n.param("contrast", &Params::contrast).title("Contrast").range(1e-12, 1e12)
      .automatic("2.5 times the noise of the middle slice")
      .help("Standard deviation of the weights in value, in the unit of the volume: differences much larger are edges.");
  n.measure(measured, measure).run(run);
}

}  // namespace

TL_NODE(bilateral_filter, Params, describe)

}  // namespace tl
