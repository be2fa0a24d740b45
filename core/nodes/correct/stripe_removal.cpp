// core/nodes/correct/stripe_removal.cpp: ring artefacts removed from sinograms by the methods of Vo.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/node/node_builder.h"
#include "core/nodes/correct/stripe_columns.h"
#include "core/values/crop.h"
#include "gpu/correction/stripes/removal.h"
#include "gpu/correction/stripes/sorting.h"

namespace tl::correct_stripe_removal_node {

struct Params {
  ops::StripeMethod method = ops::StripeMethod::sorting;
  ops::StripeColumns columns = ops::StripeColumns::found;
  std::optional<int64_t> size, large_size;
  double snr = 3;
  ops::ColumnLevels levels = ops::ColumnLevels::keep;
  double low_pass = 3;
  int64_t order = 3;
  double smoothing = 10;
};

constexpr int64_t usual_large_size = 61;

int64_t small_size(const Params& p, int64_t cols) { return p.size.value_or(ops::default_stripe_size(cols)) | 1; }
int64_t large_size(const Params& p, int64_t cols) {
  return p.large_size.value_or(std::clamp<int64_t>(cols / 4, 5, usual_large_size)) | 1;
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) { return whole_sinograms(in, wanted); }

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  return sinogram_workspace(in, wanted, element_size);
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const int64_t cols = whole.data.size(2);
  const bool offset = whole.kind == PixelKind::absorption || whole.kind == PixelKind::thickness;
  ops::StripeRemovalSpec spec;
  spec.method = p.method;
  spec.columns = p.columns;
  spec.model = offset ? ops::StripeModel::offset : ops::StripeModel::gain;
  spec.snr = p.snr;
  spec.size = small_size(p, cols);
  spec.large_size = large_size(p, cols);
  spec.low_pass = p.low_pass;
  spec.order_of_fit = std::min(p.order, whole.data.size(0) - 1);
  spec.order = angle_order(whole.geometry);
  spec.smoothing = p.smoothing;
  spec.levels = p.levels;
  spec.cancel = r.cancel();
  TL_TRY(ops::StripeRemovalResult done, ops::remove_stripes(whole.data, spec));
  whole.data = done.projections;
  r.metric("stripes", w.rows.begin, static_cast<double>(done.columns));
  return r.done("projections", contiguous_part(whole, {w.views, {0, whole.data.size(1)}, w.cols}));
}

Result<void> check(const Params&, const Infos& in) { return check_stripe_removal(in); }

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stripe_removal", 2).title("Stripe removal").category("Correction").partition(Partition::per_row);
  n.remedy("rings");
  n.summary("Removes ring artefacts from each sinogram by the methods of Vo, Atwood and Drakopoulos.");
  n.description(
      "First finds columns that differ from their neighbours while the object moves across them; only these are "
      "changed, so that a scan without stripes is unchanged. Sorting: each column is sorted by value, neighbouring "
      "columns are smoothed by a median, and the values are returned to their views; for full and partial stripes. "
      "Filtering: the same for the slow part of each column only. Fitting: the polynomial fitted to a column along the "
      "views is replaced by that of the columns around it. Large: the height of a wide stripe is subtracted; if it "
      "changes along the views, the stripe gets the sorted values of the nearest columns. Dead: columns that do not "
      "respond or fluctuate are interpolated, then 'large' is applied. All: dead, then sorting. Needs all views of a "
      "row.");
  n.cite(
      "N. T. Vo, R. C. Atwood, M. Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray "
      "micro-tomography, Opt. Express 26, 28396 (2018)");
  n.synonyms({"ring removal", "sorting", "Vo", "remove_all_stripe", "remove_large_stripe", "remove_dead_stripe",
              "ring artefact", "sinogram", "remove_stripe_based_sorting", "ring artifact"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same without stripes.");
  n.param("method", "Method", &Params::method,
          {{ops::StripeMethod::sorting, "sorting", "Sorting"},
           {ops::StripeMethod::filtering, "filtering", "Filtering and sorting"},
           {ops::StripeMethod::fitting, "fitting", "Fitting"},
           {ops::StripeMethod::large, "large", "Large stripes"},
           {ops::StripeMethod::dead, "dead", "Dead and fluctuating"},
           {ops::StripeMethod::all, "all", "All kinds"}})
      .help("Sorting for small stripes; 'all' for scans with every kind of stripe.");
  declare_stripe_columns(n, columns_of_the_paper);
  n.param("size", "Width", &Params::size)
      .range(1, 1001)
      .automatic("a hundredth of the columns, at least 5")
      .help("Columns of the median window of sorting and filtering: wider than the widest stripe to remove; made odd.");
  n.param("large_size", "Large width", &Params::large_size)
      .range(1, 1001)
      .automatic("61, or a quarter of the columns of a narrow detector")
      .help("More than twice the width of the widest stripe, in columns; made odd.");
  n.param("snr", "Detection limit", &Params::snr)
      .range(0.1, 1000)
      .help(
          "Smallest ratio of a stripe to the noise; 3 suits most scans, smaller values find weaker stripes and removes "
          "more of the object.");
  n.advanced_param("levels", "Other columns", &Params::levels,
                   {{ops::ColumnLevels::keep, "keep", "Keep"}, {ops::ColumnLevels::level, "level", "Level"}})
      .help(
          "Large stripes, all columns: columns without a stripe keep their level, or get the level of their neighbours "
          "(as in the paper).");
  n.advanced_param("low_pass", "Low-pass", &Params::low_pass)
      .range(0.1, 1000)
      .help("Filtering: width of the Gaussian low-pass along the views, in cycles per scan.");
  n.advanced_param("order", "Order", &Params::order)
      .range(0, 20)
      .help("Fitting: order of the polynomial along the views.");
  n.advanced_param("smoothing", "Smoothing", &Params::smoothing)
      .range(0.1, 1000, Unit::px)
      .help("Fitting: width of the Gaussian over neighbouring columns; larger removes wider stripes.");
  n.on_gpu([](const Params& p) -> std::string {
    using enum ops::StripeMethod;
    const bool linear = p.method == sorting || p.method == filtering || p.method == fitting;
    return linear ? "" : "the search for large and dead stripes has no version for GPUs";
  });
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_stripe_removal_node

TL_NODE(correct_stripe_removal)
