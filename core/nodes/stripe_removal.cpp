// core/nodes/stripe_removal.cpp: ring artefacts removed from sinograms by the methods of Vo.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/crop.h"
#include "core/node/node_builder.h"
#include "gpu/ops/stripe_dead.h"
#include "gpu/ops/stripe_filtering.h"
#include "gpu/ops/stripe_fitting.h"
#include "gpu/ops/stripe_large.h"
#include "gpu/ops/stripe_sorting.h"

namespace tl {
namespace stripe_removal_node {

enum class Method { sorting, filtering, fitting, large, dead, all };

struct Params {
  Method method = Method::sorting;
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

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  return Regions{{"projections", ScanRegion{all.views, std::get<ScanRegion>(wanted).rows, all.cols}}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // The cleaned rows before they are cropped, and one sinogram with ranks and indices.
  const ScanRegion all = scan_of(in).geometry.full();
  const int64_t sinogram = all.views.size() * all.cols.size();
  return 3 * sinogram * std::get<ScanRegion>(wanted).rows.size() * element_size + 48 * sinogram;
}

Result<at::Tensor> cleaned(const Params& p, const Projections& in, NodeRun& r) {
  const int64_t cols = in.data.size(2), narrow = small_size(p, cols), wide = large_size(p, cols);
  const bool offset = in.kind == PixelKind::absorption || in.kind == PixelKind::thickness;
  const ops::StripeModel model = offset ? ops::StripeModel::offset : ops::StripeModel::gain;
  ops::StripesRemoved done;
  switch (p.method) {
    case Method::sorting:
      return ops::stripe_sorting(in.data, {narrow, r.cancel()});
    case Method::filtering:
      return ops::stripe_filtering(in.data, {p.low_pass, narrow, r.cancel()});
    case Method::fitting:
      return ops::stripe_fitting(in.data, {std::min(p.order, in.data.size(0) - 1), p.smoothing, model, r.cancel()});
    case Method::large: {
      TL_TRY(done, ops::stripe_large(in.data, {p.snr, wide, 0.1, model, p.levels, r.cancel()}));
      break;
    }
    case Method::dead: {
      TL_TRY(done, ops::stripe_dead(in.data, {p.snr, wide, 11, r.cancel()}));
      break;
    }
    case Method::all: {
      TL_TRY(done, ops::stripe_all(in.data, {p.snr, wide, narrow, model, p.levels, r.cancel()}));
      break;
    }
  }
  r.metric("stripes", std::get<ScanRegion>(r.region).rows.begin, static_cast<double>(done.columns));
  return done.projections;
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  TL_TRY(whole.data, cleaned(p, whole, r));
  Projections out = crop(whole, {w.views, {0, whole.data.size(1)}, w.cols});
  out.data = out.data.contiguous();
  r.out("projections", std::move(out));
  return ok();
}

Result<void> check(const Params&, const Infos& in) {
  if (scan_of(in).kind == PixelKind::counts)
    return invalid("stripe removal works on absorption or transmission, these are counts", "projections",
                   "Put the flat-field node before it");
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stripe_removal", 1).title("Stripe removal").category("Correction").partition(Partition::per_row);
  n.summary("Removes ring artefacts from each sinogram by the methods of Vo, Atwood and Drakopoulos.");
  n.description(
      "Sorting: each column is sorted by value, neighbouring columns are smoothed by a median, and the values go back "
      "to "
      "where they came from; removes full and partial stripes without blurring the object. Filtering: the same for the "
      "slow part of each column only. Fitting: smooths a polynomial per column; for low-contrast samples. Large: "
      "columns "
      "whose level stands out are replaced by sorted and smoothed ones. Dead: columns that do not answer or fluctuate "
      "are "
      "interpolated. All: dead, large, then sorting. Needs all views of a row.");
  n.cite(
      "N. T. Vo, R. C. Atwood, M. Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray "
      "micro-tomography, Opt. Express 26, 28396 (2018)");
  n.synonyms({"ring removal", "sorting", "Vo", "remove_all_stripe", "remove_large_stripe", "remove_dead_stripe"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same without stripes.");
  n.param("method", &Params::method,
          {{"sorting", "Sorting"},
           {"filtering", "Filtering and sorting"},
           {"fitting", "Fitting"},
           {"large", "Large stripes"},
           {"dead", "Dead and fluctuating"},
           {"all", "All kinds"}})
      .title("Method")
      .help("Sorting for small stripes; 'all' for scans with every kind of stripe.");
  n.param("size", &Params::size)
      .title("Width")
      .range(1, 1001)
      .automatic("a hundredth of the columns, at least 5")
      .help("Columns of the median window of sorting and filtering: wider than the widest stripe to remove; made odd.");
  n.param("large_size", &Params::large_size)
      .title("Large width")
      .range(1, 1001)
      .automatic("61, or a quarter of the columns of a narrow detector")
      .help("Columns of the median window of large and dead: more than twice the widest stripe; made odd.");
  n.param("snr", &Params::snr)
      .title("Detection limit")
      .range(0.1, 1000)
      .help("Large and dead stripes must stand out this many times the usual variation between columns.");
  n.param("levels", &Params::levels, {{"keep", "Keep"}, {"level", "Level"}})
      .title("Other columns")
      .advanced()
      .help("Columns without a large stripe keep their level, or take that of their neighbours (as in the paper).");
  n.param("low_pass", &Params::low_pass)
      .title("Low-pass")
      .range(0.1, 1000)
      .advanced()
      .help("Filtering: width of the Gaussian low-pass along the views, in cycles per scan.");
  n.param("order", &Params::order)
      .title("Order")
      .range(0, 20)
      .advanced()
      .help("Fitting: order of the polynomial along the views.");
  n.param("smoothing", &Params::smoothing)
      .title("Smoothing")
      .unit(Unit::px)
      .range(0.1, 1000)
      .advanced()
      .help("Fitting: width of the Gaussian over neighbouring columns; larger removes wider stripes.");
  n.on_card([](const Params& p) -> std::string {
    const bool linear = p.method == Method::sorting || p.method == Method::filtering || p.method == Method::fitting;
    return linear ? "" : "the search for large and dead stripes has no version for cards";
  });
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace stripe_removal_node

TL_NODE(stripe_removal)

}  // namespace tl
