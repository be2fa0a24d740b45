// core/nodes/correct/dynamic_flat_field.cpp: flat-field whose flat is fitted to each view from the principal components
// of flats.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/nodes/correct/logarithm.h"
#include "core/values/crop.h"
#include "gpu/correction/flats/dynamic_flats.h"

namespace tl::correct_dynamic_flat_field_node {

struct Params : LogarithmParams {
  std::optional<int64_t> components;
  int64_t binning = 4;
};

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind != PixelKind::counts)
    return invalid("the scan is " + std::string(to_string(scan.kind)) + " already", "projections", "Remove this node");
  if (scan.flats < 2)
    return invalid("principal components need at least two flats, the scan has " + std::to_string(scan.flats),
                   "projections", "Use the flat-field correction by averaged flats");
  if (p.components && *p.components > scan.flats - 1)
    return invalid(std::to_string(scan.flats) + " flats give at most " + std::to_string(scan.flats - 1) + " components",
                   "components");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return flat_fielded_infos(p, in); }

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  // Deviations and components in double, and the transmission of whole views.
  const auto& scan = scan_of(in);
  const int64_t view = scan.geometry.detector().rows * scan.geometry.detector().cols;
  return (2 * scan.flats + 8) * view * 8 + 2 * std::get<ScanRegion>(wanted).views.size() * view * element_size;
}

Result<void> run(const Params& p, NodeRun& r) {
  Projections whole = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  const ops::FlatModelSpec spec{whole.references.flats, whole.references.darks, p.components};
  const int64_t bytes = (spec.flats.size(0) + 4) * spec.flats.size(1) * spec.flats.size(2) * 8;
  const auto model = r.memo<ops::FlatModel>(
      "flat_model", bytes, [&] { return std::make_shared<ops::FlatModel>(ops::make_flat_model(spec).or_throw()); });
  TL_TRY(ops::DynamicFlatFieldResult done, ops::dynamic_flat_field(whole.data, *model, {p.binning, r.cancel()}));
  const int64_t kept = done.weights.size(1);
  if (w.views.begin == 0)
    r.message(LogLevel::info, std::to_string(kept) + " components of the flats are fitted to each view");
  for (int64_t v = 0; v < w.views.size(); ++v)
    for (int64_t k = 0; k < kept; ++k)
      r.metric("weight_" + std::to_string(k + 1), w.views.begin + v,
               done.weights.const_data_ptr<double>()[v * kept + k]);
  whole.data = done.transmission;
  if (p.logarithm == Logarithm::on) {
    TL_TRY(ops::MinusLog log, ops::minus_log(done.transmission, minus_log_spec(p)));
    whole.data = log.absorption;
  }
  whole.references = {};
  Projections out = contiguous_part(whole, {{0, w.views.size()}, w.rows, w.cols});
  out.kind = result_kind(p);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.dynamic_flat_field", 1)
      .title("Dynamic flat-field")
      .category("Correction")
      .partition(Partition::per_view);
  n.summary("Dynamic flat-field correction: fits the flat of each view from the principal components of the flats.");
  n.description(
      "Use it for beams whose profile changes during the scan. The flats are decomposed into their mean and principal "
      "components (eigen flat fields); for each view the combination with the least total variation of the result is "
      "chosen. Needs many flats; with few, use the plain flat-field. Drifts of the total intensity are not corrected: "
      "use 'Beam intensity' for these.");
  n.cite(
      "V. Van Nieuwenhove, J. De Beenhouwer, F. De Carlo, L. Mancini, F. Marone, J. Sijbers, Dynamic intensity "
      "normalization using eigen flat fields in X-ray imaging, Opt. Express 23, 27975 (2015)");
  n.synonyms(
      {"PCA flats", "eigen flat fields", "DFFC", "normalise", "flat-field correction", "flat fields", "normalize"});
  n.not_differentiable("the flat of each view is found by an optimisation of its own");
  n.input<Projections>("projections", "Detector counts with several flats.");
  n.output<Projections>("projections", "Absorption, or transmission without the logarithm.");
  n.param("components", "Components", &Params::components)
      .range(0, 1000)
      .automatic("components above the noise (parallel analysis)")
      .help("Number of principal components that are fitted to each view.");
  n.advanced_param("binning", "Binning", &Params::binning)
      .range(1, 64)
      .help("Binning of the pixels along each side while the combination is searched, to reduce noise.");
  declare_logarithm(n);
  n.check(check).infos(infos).workspace(workspace).run(run);
}

}  // namespace tl::correct_dynamic_flat_field_node

TL_NODE(correct_dynamic_flat_field)
