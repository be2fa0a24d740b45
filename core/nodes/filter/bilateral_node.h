// Shared by the bilateral filters of volumes and of views.
#pragma once

#include <cmath>

#include "core/nodes/filter/filter_node.h"
#include "gpu/image/bilateral_filter.h"

namespace tl {

struct BilateralParams {
  FilterSpan span = FilterSpan::volume;
  double sigma = 1;
  std::optional<double> contrast;
};

inline ops::Reach reach_of(const BilateralParams& p) {
  return filter_reach(p.span, std::max<int64_t>(1, static_cast<int64_t>(std::ceil(2 * p.sigma))));
}

// Differences due to noise alone rarely exceed so many standard deviations.
inline double contrast_above_noise(const Findings& found) {
  constexpr double times_noise = 2.5;
  return times_noise * measured_noise(found);
}

inline Result<void> run_bilateral(const BilateralParams& p, NodeRun& r) {
  ops::BilateralSpec spec{.reach = reach_of(p),
                          .sigma_distance = p.sigma,
                          .sigma_value = p.contrast.value_or(contrast_above_noise(*r.findings)),
                          .cancel = r.cancel()};
  // Without noise, smoothing is unnecessary.
  const bool nothing = !p.contrast && !(spec.sigma_value > 0);
  return run_filter(spec.reach, r, [&](const at::Tensor& t) -> Result<at::Tensor> {
    return nothing ? Result<at::Tensor>(t) : ops::bilateral_filter(t, spec);
  });
}

// P derives from BilateralParams. image: "slice" or "view", in which the noise is measured.
template <class P>
void describe_bilateral(NodeBuilder<P>& n, const std::string& image) {
  n.on_gpu();
  n.not_differentiable("its weights depend on the values, and their derivative is not provided");
  n.cite("C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998");
  n.synonyms({"edge preserving", "denoise", "smooth", "noise reduction"});
  n.param("sigma", "Width", &P::sigma).range(0.3, 15, Unit::px).help("Standard deviation of the weights in space.");
  n.param("contrast", "Contrast", &P::contrast)
      .range(1e-12, 1e12)
      .automatic("2.5 times the noise of the middle " + image)
      .help("Standard deviation of the weights in value, in the unit of the data: differences much larger are edges.");
  n.measure([](const P&, const Infos& in) -> Result<Regions> { return noise_region(in); },
            [](const P&, NodeRun& r) -> Result<Findings> { return measure_noise(r); })
      .run([](const P& p, NodeRun& r) { return run_bilateral(p, r); })
      .keep_found([](P& p, const Infos&, const Findings& found) { p.contrast = contrast_above_noise(found); });
}

}  // namespace tl
