// core/nodes/correct/double_flat.cpp: the fine structure of the mean view, a property of the detector, removed.
#include "gpu/correction/flats/double_flat.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/nodes/correct/stripe_columns.h"
#include "core/values/crop.h"
#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/removal.h"

namespace tl::correct_double_flat_node {

struct Params {
  double sigma = 10;
  ops::StripeColumns columns = ops::StripeColumns::found;
};

Result<void> check(const Params&, const Infos& in) {
  if (scan_of(in).kind == PixelKind::counts)
    return invalid("the double flat-field works on absorption or transmission, these are counts", "projections",
                   "Put the flat-field node before this node");
  return ok();
}

ScanRegion with_halo(const Params& p, const ScanRegion& wanted, const ScanRegion& all) {
  const int64_t reach = p.columns == ops::StripeColumns::all ? ops::double_flat_reach(p.sigma) : 0;
  return {all.views, wanted.rows.grown(reach, all.rows), all.cols};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  return Regions{{"projections", with_halo(p, std::get<ScanRegion>(wanted), all)}};
}

int64_t workspace(const Params& p, const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion all = scan_of(in).geometry.full();
  return 3 *
         region_bytes(with_halo(p, std::get<ScanRegion>(wanted), all), element_size);  // copy in double, for the mean
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const ScanRegion given = with_halo(p, w, r.info<ProjectionsInfo>("projections").geometry.full());
  const auto model = whole.kind == PixelKind::transmission ? ops::StripeModel::gain : ops::StripeModel::offset;
  if (p.columns == ops::StripeColumns::all) {
    TL_TRY(whole.data, ops::double_flat(whole.data, {p.sigma, model}));
  } else {
    const AngleOrder order = angle_order(whole.geometry);
    const ops::StripeSearch search{.angles = order.angles};
    const auto level = [&](const at::Tensor& row, const auto& stripes) {
      const auto marked = ops::striped_columns(stripes, row.size(1));
      return ops::fitted_to_neighbours(row, marked, 0, p.sigma);
    };
    const at::Tensor sorted = ops::by_angle(whole.data, order);
    whole.data = ops::as_recorded(ops::on_striped_columns(sorted, model, search, r.cancel(), level).projections, order);
  }
  return r.done(
      "projections",
      contiguous_part(whole, {w.views, {w.rows.begin - given.rows.begin, w.rows.end - given.rows.begin}, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.double_flat", 2).title("Double flat-field").category("Correction").partition(Partition::custom);
  n.remedy("rings");
  n.summary("Double flat-field against ring artefacts: removes the fine structure of the mean of all views.");
  n.description(
      "Scratches and dust that are missing in the flats do not move while the object rotates, so they are visible in "
      "the mean of all views. By default only pixels in which such a stripe is found are changed: they get the level "
      "of the pixels around them in their row. With all columns, structures finer than sigma in the mean view are "
      "removed from every view; this also removes structures of the object near the rotation axis and makes ripples at "
      "its edges.");
  n.synonyms({"double flatfield", "DFF", "ring removal", "ring artefact", "ring artifact"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The corrected views.");
  n.param("sigma", "Finer than", &Params::sigma)
      .range(0.3, 1000, Unit::px)
      .help("Width of the Gaussian: coarser structures of the mean view belong to the object and stay.");
  declare_stripe_columns(n, "Change only the pixels in which a stripe is found, or all of them.");
  n.on_gpu();
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_double_flat_node

TL_NODE(correct_double_flat)
