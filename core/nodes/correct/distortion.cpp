// core/nodes/correct/distortion.cpp: radial lens distortion of the detector corrected.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/values/crop.h"
#include "gpu/correction/view_resampling.h"

namespace tl::correct_distortion_node {

struct Params {
  std::optional<double> centre_col, centre_row;
  double k0 = 1, k1 = 0, k2 = 0, k3 = 0, k4 = 0;
};

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // The corrected views before cropping, and the positions in double.
  const DetectorShape& d = scan_of(in).geometry.detector();
  return (std::get<ScanRegion>(wanted).views.size() * element_size + 64) * d.rows * d.cols;
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const DetectorShape& d = whole.geometry.detector();
  ops::DistortionSpec spec{.centre_col = p.centre_col.value_or(0.5 * static_cast<double>(d.cols - 1)),
                           .centre_row = p.centre_row.value_or(0.5 * static_cast<double>(d.rows - 1)),
                           .factors = {p.k0, p.k1, p.k2, p.k3, p.k4},
                           .cancel = r.cancel()};
  TL_TRY(whole.data, ops::correct_distortion(whole.data, spec));
  for (at::Tensor* t : {&whole.references.flats, &whole.references.darks})
    if (t->defined()) {
      TL_TRY(*t, ops::correct_distortion(*t, spec));
    }
  return r.done("projections", contiguous_part(whole, {{0, w.views.size()}, w.rows, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.distortion", 1).title("Lens distortion").category("Correction").partition(Partition::per_view);
  n.summary("Corrects the radial distortion of the detector's optics.");
  n.description(
      "Applies the backward model of Vo: the corrected pixel at distance r from the centre shows the recorded pixel at "
      "the distance r (k0 + k1 r + k2 r^2 + k3 r^3 + k4 r^4), r in pixels. Measure the factors from an image of a grid "
      "or dot target, for example with discorpy or algotom. Flats and darks are corrected too.");
  n.cite(
      "N. T. Vo, R. C. Atwood, M. Drakopoulos, Radial lens distortion correction with sub-pixel accuracy for X-ray "
      "micro-tomography, Opt. Express 23, 32859 (2015)");
  n.synonyms({"unwarp", "discorpy", "barrel", "pincushion", "lens", "radial distortion"});
  n.input<Projections>("projections", "Any scan.");
  n.output<Projections>("projections", "The scan as an ideal lens would have shown it.");
  n.param("centre_col", "Centre column", &Params::centre_col)
      .range(-1e6, 1e6, Unit::px)
      .automatic("the middle of the detector")
      .help("Centre of the distortion, column counted from 0 at the centre of the first pixel.");
  n.param("centre_row", "Centre row", &Params::centre_row)
      .range(-1e6, 1e6, Unit::px)
      .automatic("the middle of the detector")
      .help("Centre of the distortion, row counted from 0 at the centre of the top pixel.");
  n.param("k0", "k0", &Params::k0).range(0.01, 100).help("Scale at the centre; 1 keeps it.");
  n.param("k1", "k1", &Params::k1).range(-1, 1).help("Factor of r, 1/px.");
  n.param("k2", "k2", &Params::k2).range(-1, 1).help("Factor of r^2, 1/px^2.");
  n.param("k3", "k3", &Params::k3).range(-1, 1).help("Factor of r^3, 1/px^3.");
  n.param("k4", "k4", &Params::k4).range(-1, 1).help("Factor of r^4, 1/px^4.");
  n.on_gpu();
  n.workspace(workspace).run(run);
}

}  // namespace tl::correct_distortion_node

TL_NODE(correct_distortion)
