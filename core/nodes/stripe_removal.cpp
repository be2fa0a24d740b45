// core/nodes/stripe_removal.cpp: ring artefacts removed from sinograms by sorting.
#include <ATen/ATen.h>

#include "core/crop.h"
#include "core/node/node_builder.h"
#include "gpu/ops/stripe_sorting.h"

namespace tl {
namespace {

struct Params {
  std::optional<int64_t> size;
};

int64_t odd_size(const Params& p, int64_t cols) {
  const int64_t size = p.size.value_or(ops::default_stripe_size(cols));
  return size | 1;
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  const ScanRegion all = std::get<ProjectionsInfo>(in.at("projections")).geometry.full();
  return Regions{{"projections", ScanRegion{all.views, std::get<ScanRegion>(wanted).rows, all.cols}}};
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return 2 * region_bytes(wanted, element_size);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  TL_TRY(at::Tensor clean, ops::stripe_sorting(in.data, {odd_size(p, in.data.size(2)), r.cancel()}));
  Projections whole = in;
  whole.data = clean;
  Projections out = crop(whole, {w.views, {0, clean.size(1)}, w.cols});
  out.data = out.data.contiguous();
  r.out("projections", std::move(out));
  return ok();
}

Result<void> check(const Params&, const Infos& in) {
  if (std::get<ProjectionsInfo>(in.at("projections")).kind == PixelKind::counts)
    return invalid("stripe removal works on absorption or transmission, these are counts", "projections",
                   "Put the flat-field node before it");
  return ok();
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stripe_removal", 1).title("Stripe removal").category("Correction").partition(Partition::per_row);
  n.summary("Removes ring artefacts by smoothing the sorted columns of each sinogram.");
  n.description(
      "Each column of a sinogram is sorted by value, neighbouring columns are smoothed by a median, and the values go "
      "back to where they came from. Removes full stripes without blurring the object; needs all views of a row.");
  n.cite("N. T. Vo, R. C. Atwood, M. Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray "
         "micro-tomography, Opt. Express 26, 28396 (2018), algorithm 3");
  n.synonyms({"ring removal", "sorting", "Vo"});
  n.input<Projections>("projections", "Absorption or transmission.");
  n.output<Projections>("projections", "The same without stripes.");
  n.param("size", &Params::size).title("Width").range(1, 1001).automatic("a hundredth of the columns, at least 5")
      .help("Columns of the median window: wider than the widest stripe to remove; made odd.");
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace

TL_NODE(stripe_removal, Params, describe)

}  // namespace tl
