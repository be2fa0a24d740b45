// core/nodes/correct/zingers.cpp: single bright or dark pixels of single views replaced by the median of their
// neighbours.
#include "gpu/correction/zingers.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/values/crop.h"

namespace tl::correct_zingers_node {

struct Params {
  int64_t size = 3;
  double limit = 0.2;
  ops::OutlierSide side = ops::OutlierSide::brighter;
};

ops::OutlierScale scale_of(PixelKind kind) {
  return kind == PixelKind::counts || kind == PixelKind::transmission ? ops::OutlierScale::relative
                                                                      : ops::OutlierScale::absolute;
}

ScanRegion with_halo(const Params& p, const ScanRegion& wanted, const ScanRegion& all) {
  const int64_t halo = p.size / 2;
  return {wanted.views, wanted.rows.grown(halo, all.rows), wanted.cols.grown(halo, all.cols)};
}

Result<void> check(const Params& p, const Infos&) {
  if (p.size % 2 == 0) return invalid("the window must have an odd side, not " + std::to_string(p.size), "size");
  return ok();
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  return Regions{{"projections", with_halo(p, std::get<ScanRegion>(wanted), all)}};
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return region_bytes(wanted, element_size);  // the result before its halo is removed
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const ScanRegion given = with_halo(p, w, r.info<ProjectionsInfo>("projections").geometry.full());
  const auto clean = [&](const at::Tensor& t) {
    return ops::remove_zingers(t, {p.size, p.limit, p.side, scale_of(whole.kind), r.cancel()});
  };
  TL_TRY(ops::ZingerRemovalResult done, clean(whole.data));
  whole.data = done.projections;
  for (at::Tensor* t : {&whole.references.flats, &whole.references.darks})
    if (t->defined()) {
      TL_TRY(ops::ZingerRemovalResult references, clean(*t));
      *t = references.projections;
    }
  const auto within = [](Range part, Range all) { return Range{part.begin - all.begin, part.end - all.begin}; };
  r.metric("zingers", w.views.begin, static_cast<double>(done.replaced));
  return r.done("projections",
                contiguous_part(whole, {{0, w.views.size()}, within(w.rows, given.rows), within(w.cols, given.cols)}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.zingers", 1).title("Zinger removal").category("Correction").partition(Partition::custom);
  n.recommended_remedy("zingers");
  n.summary("Zinger removal: replaces outlier pixels of single views by the median of their neighbours.");
  n.description(
      "A pixel that differs from the median of its window by more than the limit is replaced by that median; all "
      "others are unchanged. Use it where X-rays that hit the camera directly leave bright spots in single views, "
      "which become streaks in the reconstruction. Flats and darks are cleaned too. The number of replaced pixels is "
      "reported.");
  n.synonyms({"outliers", "remove_outlier", "hot pixels", "CCD filter", "despeckle", "zinger", "cosmic rays", "spikes",
              "outlier removal"});
  n.input<Projections>("projections", "Any scan, best as counts.");
  n.output<Projections>("projections", "The same without zingers.");
  n.param("limit", "Limit", &Params::limit)
      .range(1e-6, 1e6)
      .help("Allowed difference from the median: a share of it for counts and transmission, absolute otherwise.");
  n.param("size", "Window", &Params::size)
      .range(3, 31, Unit::px)
      .help("Side of the square window, odd; a zinger must cover less than half of it.");
  n.param("side", "Remove", &Params::side,
          {{ops::OutlierSide::brighter, "brighter", "Brighter"},
           {ops::OutlierSide::darker, "darker", "Darker"},
           {ops::OutlierSide::both, "both", "Both"}})
      .help("Zingers are bright in counts and transmission, dark in absorption.");
  n.on_gpu();
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_zingers_node

TL_NODE(correct_zingers)
