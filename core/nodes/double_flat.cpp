// core/nodes/double_flat.cpp: what all views have in common removed as a property of the detector.
#include "gpu/ops/double_flat.h"

#include <ATen/ATen.h>

#include "core/crop.h"
#include "core/node/node_builder.h"

namespace tl {
namespace double_flat_node {

struct Params {
  double sigma = 10;
};

Result<void> check(const Params&, const Infos& in) {
  if (scan_of(in).kind == PixelKind::counts)
    return invalid("the double flat-field works on absorption or transmission, these are counts", "projections",
                   "Put the flat-field node before it");
  return ok();
}

ScanRegion with_halo(const Params& p, const ScanRegion& wanted, const ScanRegion& all) {
  return {all.views, wanted.rows.grown(ops::double_flat_reach(p.sigma), all.rows), all.cols};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  return Regions{{"projections", with_halo(p, std::get<ScanRegion>(wanted), all)}};
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion all = scan_of(in).geometry.full();
  return 3 *
         region_bytes(with_halo(p, std::get<ScanRegion>(wanted), all), element_size);  // also in double, for the mean
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const ScanRegion given = with_halo(p, w, r.info<ProjectionsInfo>("projections").geometry.full());
  const bool gain = whole.kind == PixelKind::transmission;
  TL_TRY(whole.data, ops::double_flat(whole.data, {p.sigma, gain ? ops::StripeModel::gain : ops::StripeModel::offset}));
  Projections out = crop(whole, {w.views, {w.rows.begin - given.rows.begin, w.rows.end - given.rows.begin}, w.cols});
  out.data = out.data.contiguous();
  r.out("projections", std::move(out));
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.double_flat", 1).title("Double flat-field").category("Correction").partition(Partition::custom);
  n.summary("Removes what all views have in common: the fine structure of the mean view.");
  n.description(
      "Scratches and dust that the flats did not catch stay in place while the object turns, so they stand out in the "
      "mean of all views. What is finer than sigma there is removed from every view, which also removes rings. "
      "Structures "
      "of the object near the rotation axis that are finer than sigma suffer with them.");
  n.synonyms({"double flatfield", "DFF", "ring removal"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same without what all views have in common.");
  n.param("sigma", &Params::sigma)
      .title("Finer than")
      .unit(Unit::px)
      .range(0.3, 1000)
      .help("Width of the Gaussian: coarser structures of the mean view belong to the object and stay.");
  n.on_card();
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace double_flat_node

TL_NODE(double_flat)

}  // namespace tl
