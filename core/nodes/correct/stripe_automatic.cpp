// core/nodes/correct/stripe_automatic.cpp: stripes detected in a few detector rows, and removed from all rows where
// there are any.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/nodes/correct/stripe_columns.h"
#include "core/values/crop.h"
#include "gpu/axis/ring_search.h"

namespace tl::correct_stripe_automatic_node {

struct Params {
  double snr = 3;
  int64_t rows = 4;
};

constexpr const char* found_columns = "columns";
constexpr const char* walls_of_tubes = "walls";

Result<void> check(const Params&, const Infos& in) { return check_stripe_removal(in); }

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) { return whole_sinograms(in, wanted); }

Result<Regions> looked_at(const Params& p, const Infos& in) {
  ScanRegion region = scan_of(in).geometry.full();
  const int64_t all = region.rows.size(), count = std::min(p.rows, all), first = (all - count) / 2;
  region.rows = {first, first + count};
  return Regions{{"projections", region}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  return sinogram_workspace(in, wanted, element_size);
}

ops::StripeRemovalSpec spec_of(const Params& p, const Projections& in, const NodeRun& r) {
  const auto model = in.kind == PixelKind::transmission ? ops::StripeModel::gain : ops::StripeModel::offset;
  ops::StripeRemovalSpec spec = ops::automatic_stripe_removal(in.data.size(2), model, p.snr);
  spec.order = angle_order(in.geometry);
  spec.cancel = r.cancel();
  return spec;
}

std::string sentence(const ops::StripeSummary& s, int64_t rows, int64_t cols) {
  std::string all = formatted("stripes in %.3g of %lld columns (mean of %lld rows)",
                              static_cast<double>(s.columns) / static_cast<double>(rows), static_cast<long long>(cols),
                              static_cast<long long>(rows));
  if (s.height > 0) all += formatted(", off by up to %.2g %%", 100 * (1 - std::exp(-s.height)));
  const auto add = [&](ops::StripeKind kind, const char* what) {
    const auto found = s.stripes.find(kind);
    if (found == s.stripes.end()) return;
    all += (all.back() == ':' ? " " : ", ") + std::to_string(found->second) + " " + what;
  };
  all += ":";
  add(ops::StripeKind::level, "of constant height are lowered by it");
  add(ops::StripeKind::partial, "of changing height get the values of equal rank of their neighbours");
  add(ops::StripeKind::unsteady, "that fluctuate or do not answer are interpolated");
  add(ops::StripeKind::unrelated, "unrelated to their neighbours are interpolated");
  return all;
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const ops::StripeRemovalSpec spec = spec_of(p, in, r);
  const int64_t rows = in.data.size(1), cols = in.data.size(2);
  const ops::RingSearch search = ops::find_rings(in.data, ops::ring_geometry(in.geometry), spec);
  const ops::StripeSummary& s = search.summary;
  if (search.rings) r.message(LogLevel::info, sentence(s, rows, cols));
  const double columns = search.rings ? static_cast<double>(s.columns) / static_cast<double>(rows) : 0;
  Findings f;
  f.values[found_columns] = Scalar{at::scalar_tensor(columns, at::kDouble), Unit::none, 0, Verdict::resolved};
  Table spared{{{"column", Unit::none, {}}}};
  for (int64_t c = 0; c < cols; ++c)
    if (search.walls[static_cast<std::size_t>(c)] != 0) spared.columns[0].values.push_back(static_cast<double>(c));
  f.values[walls_of_tubes] = std::move(spared);
  return f;
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const double columns = std::get<Scalar>(r.findings->values.at(found_columns)).value.item<double>();
  if (columns > 0) {
    ops::StripeRemovalSpec spec = spec_of(p, whole, r);
    spec.spared.assign(static_cast<std::size_t>(whole.data.size(2)), 0);
    for (const double c : std::get<Table>(r.findings->values.at(walls_of_tubes)).columns[0].values)
      spec.spared[static_cast<std::size_t>(c)] = 1;
    const auto device = whole.data.device();
    TL_TRY(ops::StripeRemovalResult done, ops::remove_stripes(whole.data.cpu(), spec));
    whole.data = done.projections.to(device);
    r.metric("stripes", w.rows.begin, static_cast<double>(done.columns));
  }
  return r.done("projections", contiguous_part(whole, {w.views, {0, whole.data.size(1)}, w.cols}));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stripe_automatic", 1).title("Rings, automatic").category("Correction").partition(Partition::per_row);
  n.recommended_remedy("rings");
  n.summary("Automatic ring removal: searches a few detector rows for stripes and removes them only if there are any.");
  n.description(
      "Counts columns that differ from their neighbours in all views, in the rows in the middle of the detector. If "
      "three stripes or one clear one are found, every row is searched and each stripe is corrected by its kind, as by "
      "stripe removal with the method 'all'; otherwise the scan is passed on bit-identical. Two equal stripes at the "
      "same columns of all these rows are not corrected, as the walls of a tube, if they are at the same distance from "
      "the rotation axis, which is found from the rest of the rows, and absorption is higher between them. The order "
      "in which the views were recorded does not matter. Round parts of the object on the rotation axis, a few pixels "
      "wide, cannot be distinguished from a stripe. Needs all views of a row.");
  n.cite(
      "N. T. Vo, R. C. Atwood, M. Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray "
      "micro-tomography, Opt. Express 26, 28396 (2018)");
  n.synonyms({"ring removal", "stripes", "detector", "automatic", "ring artefact", "sinogram", "ring artifact"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same without stripes.");
  n.param("snr", "Detection limit", &Params::snr)
      .range(0.1, 1000)
      .help("Smallest ratio of a stripe to the noise; 3 suits most scans, 1000 finds none.");
  n.advanced_param("rows", "Rows", &Params::rows)
      .range(1, 1000)
      .help("Detector rows that are searched, in the middle.");
  n.where_input_is();
  n.check(check).needs(needs).workspace(workspace).measure(looked_at, measure).run(run);
}

}  // namespace tl::correct_stripe_automatic_node

TL_NODE(correct_stripe_automatic)
