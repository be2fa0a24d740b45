// Shared by non-local means of volumes and of views.
#pragma once

#include "core/nodes/filter/filter_node.h"
#include "gpu/image/non_local_means.h"

namespace tl {

struct NonLocalMeansParams {
  FilterSpan span = FilterSpan::slices;
  int64_t search = 5, patch = 1;
  double strength = 0.8;
  std::optional<double> noise;
};

inline ops::Reach reach_of(const NonLocalMeansParams& p) { return filter_reach(p.span, p.search + p.patch); }

inline Result<void> run_non_local_means(const NonLocalMeansParams& p, NodeRun& r) {
  ops::NonLocalMeansSpec spec;
  spec.search = filter_reach(p.span, p.search);
  spec.patch = filter_reach(p.span, p.patch);
  spec.noise = p.noise ? *p.noise : measured_noise(*r.findings);
  spec.strength = p.strength * spec.noise;
  spec.cancel = r.cancel();
  return run_filter(reach_of(p), r, [&](const at::Tensor& t) -> Result<at::Tensor> {
    // Without noise, smoothing is unnecessary.
    return spec.strength > 0 ? ops::non_local_means(t, spec) : Result<at::Tensor>(t);
  });
}

// P derives from NonLocalMeansParams. image: "slice" or "view", in which the noise is measured.
template <class P>
void describe_non_local_means(NodeBuilder<P>& n, const std::string& image) {
  n.on_gpu();
  n.not_differentiable("its weights depend on the values, and their derivative is not provided");
  n.cite("A. Buades, B. Coll, J.-M. Morel, A non-local algorithm for image denoising, CVPR 2005");
  n.cite("J. Darbon et al., Fast nonlocal filtering applied to electron cryomicroscopy, ISBI 2008");
  n.synonyms({"NLM", "denoise", "smooth", "noise reduction"});
  n.param("search", "Search", &P::search)
      .range(1, 20, Unit::px)
      .help("Radius of the window in which similar patches are searched.");
  n.param("patch", "Patch", &P::patch).range(0, 5, Unit::px).help("Radius of the patches that are compared.");
  n.param("strength", "Strength", &P::strength)
      .range(0.01, 100)
      .help("Smoothing in units of the noise; larger is smoother.");
  n.param("noise", "Noise", &P::noise)
      .range(0, 1e12)
      .automatic("noise of the middle " + image)
      .help("Standard deviation of the noise in the unit of the data.");
  n.measure([](const P&, const Infos& in) -> Result<Regions> { return noise_region(in); },
            [](const P&, NodeRun& r) -> Result<Findings> { return measure_noise(r); })
      .run([](const P& p, NodeRun& r) { return run_non_local_means(p, r); })
      .keep_found([](P& p, const Infos&, const Findings& found) { p.noise = measured_noise(found); });
}

}  // namespace tl
