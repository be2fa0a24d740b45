// core/nodes/correct/beam_intensity.cpp: each view normalised by the empty beam next to the object.
#include "gpu/correction/flats/beam_intensity.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/values/crop.h"

namespace tl::correct_beam_intensity_node {

struct Params {
  int64_t left = 5, right = 5;
  ops::BackgroundRows rows = ops::BackgroundRows::each_row;
};

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind == PixelKind::counts)
    return invalid("the background cannot be normalised in counts", "projections",
                   "Put the flat-field node before this one");
  if (p.left + p.right < 1)
    return invalid("no column of empty beam is given", "left", "Give columns that show the empty beam in all views");
  if (p.left + p.right > scan.geometry.detector().cols)
    return invalid("the detector has only " + std::to_string(scan.geometry.detector().cols) + " columns", "left");
  return ok();
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  const auto& w = std::get<ScanRegion>(wanted);
  const bool each = p.rows == ops::BackgroundRows::each_row;
  return Regions{{"projections", ScanRegion{w.views, each ? w.rows : all.rows, all.cols}}};
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return 3 * region_bytes(wanted, element_size);  // the background of every pixel, in double, and the whole lines
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const bool gain = whole.kind == PixelKind::transmission;
  TL_TRY(ops::BeamIntensityResult done,
         ops::normalise_beam(whole.data,
                             {p.left, p.right, p.rows, gain ? ops::StripeModel::gain : ops::StripeModel::offset}));
  if (done.unusable > 0)
    r.message(LogLevel::warning,
              std::to_string(done.unusable) + " lines have no usable background and stay as they are");
  whole.data = done.projections;
  const bool each = p.rows == ops::BackgroundRows::each_row;
  return r.done("projections",
                contiguous_part(whole, {{0, w.views.size()}, each ? Range{0, w.rows.size()} : w.rows, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.beam_intensity", 1).title("Beam intensity").category("Correction").partition(Partition::custom);
  n.summary("Normalises each view by the empty beam at the left and right edge of the detector.");
  n.description(
      "Corrects drifts of the beam intensity during the scan. Columns at the edges that never contain the object give "
      "the background of each view, interpolated linearly between the two edges. It is subtracted from absorption; "
      "transmission is divided by it.");
  n.synonyms({"background", "normalize_bg", "air", "beam drift", "dose", "intensity normalisation", "flux", "monitor",
              "normalize"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same with an even background.");
  n.param("left", "Left columns", &Params::left)
      .range(0, 1e6, Unit::px)
      .help("Columns of empty beam at the left edge; 0 = none.");
  n.param("right", "Right columns", &Params::right)
      .range(0, 1e6, Unit::px)
      .help("Columns of empty beam at the right edge; 0 = none.");
  n.param("rows", "Rows", &Params::rows,
          {{ops::BackgroundRows::each_row, "each_row", "Each row by its own"},
           {ops::BackgroundRows::whole_view, "whole_view", "All rows by one"}})
      .help("Estimate one background per detector row, or a less noisy one for the whole view.");
  n.on_gpu();
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_beam_intensity_node

TL_NODE(correct_beam_intensity)
