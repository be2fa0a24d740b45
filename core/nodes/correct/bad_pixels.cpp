// core/nodes/correct/bad_pixels.cpp: dead, hot and saturated detector pixels filled from their neighbours.
#include "gpu/correction/flats/bad_pixels.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/values/crop.h"

namespace tl::correct_bad_pixels_node {

struct Params {
  double response = 0.5, hot = 0.1;
  std::optional<double> saturation;
};

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.flats == 0 && scan.darks == 0 && !p.saturation)
    return invalid("there are neither flats nor darks to find bad pixels in, and no saturation is given", "projections",
                   "Put this node before the flat-field node, or give the saturation");
  return ok();
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // The filled views before cropping, and the averages of flats and darks.
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t view = all.rows.size() * all.cols.size();
  return 2 * std::get<ScanRegion>(wanted).views.size() * view * element_size + 64 * view;
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  ops::FillPixelsSpec spec;
  spec.saturation = p.saturation;
  spec.cancel = r.cancel();
  if (whole.references.flats.defined() || whole.references.darks.defined()) {
    TL_TRY(spec.mask, ops::find_bad_pixels(whole.references.flats, whole.references.darks, {p.response, p.hot}));
  }
  TL_TRY(ops::FillPixelsResult done, ops::fill_pixels(whole.data, spec));
  whole.data = done.projections;
  for (at::Tensor* t : {&whole.references.flats, &whole.references.darks})
    if (t->defined()) {
      TL_TRY(ops::FillPixelsResult references, ops::fill_pixels(*t, spec));
      *t = references.projections;
    }
  if (w.views.begin == 0 && done.masked > 0)  // these pixels are the same in every block of views: report them once
    r.message(LogLevel::info,
              std::to_string(done.masked) + " dead or hot detector pixels are filled from their neighbours");
  if (done.saturated + done.missing > 0)
    r.message(LogLevel::info, std::to_string(done.saturated) + " saturated and " + std::to_string(done.missing) +
                                  " missing values of single views are filled");
  if (done.unfilled > 0)
    r.message(LogLevel::warning, std::to_string(done.unfilled) + " bad values have no usable neighbour and stay");
  return r.done("projections", contiguous_part(whole, {{0, w.views.size()}, w.rows, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.bad_pixels", 1).title("Bad pixels").category("Correction").partition(Partition::per_view);
  n.recommended_remedy("saturation", "saturation");
  n.summary("Finds dead, hot and saturated detector pixels and fills them from their neighbours.");
  n.description(
      "Dead pixels respond to the beam unlike their neighbours in the flats, hot pixels stand out in the darks, "
      "saturated pixels reach the given value in a view. These and values that are not finite become the mean of the "
      "nearest good pixels left, right, above and below, weighted by one over the distance. Flats and darks are "
      "repaired too. The numbers of pixels are reported.");
  n.synonyms({"dead pixels", "hot pixels", "saturated", "defect map", "mask", "NaN", "inpainting"});
  n.input<Projections>("projections", "Counts with flats or darks; any scan if a saturation is given.");
  n.output<Projections>("projections", "The same with repaired pixels.");
  n.param("response", "Response", &Params::response)
      .range(0.01, 1e6)
      .help("A pixel is dead when its flat minus dark differs from its neighbours by more than this share.");
  n.param("hot", "Hot", &Params::hot)
      .range(1e-6, 1e6)
      .help("A pixel is hot when its dark lies above its neighbours by more than this share of the median flat.");
  n.param("saturation", "Saturation", &Params::saturation)
      .automatic("no value counts as saturated")
      .help("Values at or above it are filled, in the unit of the views (65535 for a full 16-bit camera).");
  n.check(check).workspace(workspace).run(run);
}

}  // namespace tl::correct_bad_pixels_node

TL_NODE(correct_bad_pixels)
