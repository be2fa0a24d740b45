// core/nodes/correct/flat_field.cpp: detector counts to transmission or absorption with flats and darks.
#include "gpu/correction/flats/flat_field.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/node/shared_memo.h"
#include "core/nodes/correct/logarithm.h"
#include "core/nodes/unusable_report.h"
#include "core/values/crop.h"

namespace tl::correct_flat_field_node {

enum class Reference { flats, none };

struct Params : LogarithmParams {
  Reference reference = Reference::flats;
  ops::FlatChange change = ops::FlatChange::interpolate;
  ops::FrameAverage average = ops::FrameAverage::mean;
};

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind == PixelKind::absorption || scan.kind == PixelKind::thickness)
    return invalid("the scan is " + std::string(to_string(scan.kind)) + " already", "projections", "Remove this node");
  if (scan.kind == PixelKind::counts && p.reference == Reference::flats && scan.flats == 0)
    return invalid("the scan has no flats", "projections",
                   "Load a scan with flats, or set the reference to 'none' if the views are normalised already");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) { return flat_fielded_infos(p, in); }

// A pixel without a usable flat is interpolated along its row, so complete rows are needed.
Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  ScanRegion region = std::get<ScanRegion>(wanted);
  region.cols = {0, scan_of(in).geometry.detector().cols};
  return Regions{{"projections", region}};
}

int64_t workspace(const Params&, const Infos&, const Region& wanted, int64_t element_size) {
  return region_bytes(wanted, element_size);  // the transmission before its logarithm
}

// All that the averages of flats and darks follow from.
Hash content_of(const ops::FlatFieldSpec& spec) {
  Hasher content;
  for (const at::Tensor& frames : {spec.flats, spec.darks}) {
    if (!frames.defined()) {
      content.add("none");
      continue;
    }
    const at::Tensor pixels = frames.cpu().contiguous();
    for (const int64_t n : pixels.sizes()) content.add(n);
    content.add(static_cast<int64_t>(pixels.scalar_type()));
    content.add(std::string_view(static_cast<const char*>(pixels.const_data_ptr()), pixels.nbytes()));
  }
  for (const double position : spec.flat_positions) content.add(position);
  for (const int64_t choice : {static_cast<int64_t>(spec.flat_average), static_cast<int64_t>(spec.dark_average),
                               static_cast<int64_t>(spec.change)})
    content.add(choice);
  return content.digest();
}

// Cached for all blocks with the same flats and darks, also when the views of a stream arrive one by one: reading the
// frames to compute their digest takes less time than averaging them.
std::shared_ptr<ops::FlatReferences> averaged_references(const ops::FlatFieldSpec& spec, Range rows, NodeRun& r) {
  const auto content = r.memo<Hash>("flats of rows " + std::to_string(rows.begin) + " to " + std::to_string(rows.end),
                                    64, [&] { return std::make_shared<Hash>(content_of(spec)); });
  return view_memo<ops::FlatReferences>(r, *content, ops::flat_references_bytes(spec),
                                        [&] { return ops::prepare_flats(spec).or_throw(); });
}

// Transmission in the requested region, or absorption if flat-field correction gives it in one pass.
Result<ops::FlatFieldResult> corrected(const Params& p, const Projections& in, NodeRun& r) {
  const auto& region = std::get<ScanRegion>(r.region);
  ops::FlatFieldSpec spec;
  spec.flats = in.references.flats;
  spec.darks = in.references.darks;
  spec.flat_positions = in.references.flat_positions;
  for (int64_t i = region.views.begin; i < region.views.end; ++i) spec.view_positions.push_back(static_cast<double>(i));
  spec.flat_average = spec.dark_average = p.average;
  spec.change = in.references.flat_positions.empty() ? ops::FlatChange::constant : p.change;
  if (p.logarithm == Logarithm::on) spec.logarithm = minus_log_spec(p);
  spec.cancel = r.cancel();
  spec.unusable = ops::Unusable::fill;
  spec.geometry = &in.geometry;
  spec.prepared = averaged_references(spec, region.rows, r);
  // Views that only this node uses, and that are not in a cache, are overwritten by the result.
  if (in.data.use_count() == 1 && in.data.storage().use_count() == 1) spec.input = ops::InputUse::overwrite;
  TL_TRY(ops::FlatFieldResult done, ops::flat_field(in.data, spec));
  const bool first_views = region.views.begin == 0;  // same pixels in every block of views: reported once
  if (first_views && !in.references.darks.defined())
    r.message(LogLevel::warning, "the scan has no darks: the dark signal is taken as 0");
  if (first_views && done.repaired > 0)
    r.message(LogLevel::warning,
              std::to_string(done.repaired) + " detector pixels have no usable flat and were filled from their row");
  if (first_views && done.dead_rows > 0)
    r.message(LogLevel::warning,
              std::to_string(done.dead_rows) + " detector rows have no usable flat: set to empty beam");
  return done;
}

// Views that already are transmission: unchanged, or their logarithm.
Result<ops::FlatFieldResult> taken_as_transmission(const Params& p, const Projections& in, NodeRun& r) {
  ops::FlatFieldResult done;
  done.transmission = in.data.to(r.dtype);  // counts may have come
  const ops::MinusLogSpec spec = minus_log_spec(p);
  if (p.logarithm == Logarithm::on) {
    TL_TRY(done.logarithm, ops::minus_log(done.transmission, spec));
    if (done.logarithm.usable && !ops::has_constant_view(done.transmission)) return done;
  }
  if (r.learning || done.transmission.requires_grad()) return done;
  const ops::UsableViews usable = ops::fill_unusable_values(done.transmission, 1, &in.geometry);
  done.unusable = usable.found;
  if (!usable.found.any()) return done;
  done.transmission = usable.data;
  if (p.logarithm == Logarithm::on) {
    TL_TRY(done.logarithm, ops::minus_log(done.transmission, spec));
  }
  return done;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& region = std::get<ScanRegion>(r.region);
  const bool as_it_is = p.reference == Reference::none || in.kind == PixelKind::transmission;
  TL_TRY(const ops::FlatFieldResult done, as_it_is ? taken_as_transmission(p, in, r) : corrected(p, in, r));
  const at::Tensor values = p.logarithm == Logarithm::on ? done.logarithm.absorption : done.transmission;
  const ScanGeometry& scan = r.info<ProjectionsInfo>("projections").geometry;
  TL_TRY(report_unusable({{region.views, region.rows, {0, scan.detector().cols}},
                          done.unusable,
                          done.logarithm.floored,
                          done.dark_views,
                          done.first_dark},
                         scan, r));
  if (done.logarithm.nans > 0)
    r.message(LogLevel::warning, std::to_string(done.logarithm.nans) + " pixels are NaN and were taken as empty beam");
  Projections out;
  const ScanRegion part{{0, region.views.size()}, {0, region.rows.size()}, region.cols};
  out.data = values.narrow(2, region.cols.begin, region.cols.size()).contiguous();
  out.geometry = in.geometry.crop(part);
  out.vectors = crop_vectors(in.vectors, part, in.geometry.detector());
  out.kind = result_kind(p);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.flat_field", 1).title("Flat-field").category("Correction");
  n.role(NodeRole::flat_field);
  n.summary("Flat-field correction: divides by the empty beam and takes the logarithm; counts become absorption.");
  n.description(
      "Computes (view - dark) / (flat - dark), then -ln. Flats taken at several times are interpolated. Detector "
      "pixels without a usable flat are filled from their row and counted, as are values that are not finite or beyond "
      "4e9; constant views (all pixels equal) are filled from those at the nearest angles. Both are reported with "
      "their "
      "share and the first position.");
  n.synonyms({"normalise", "white field", "minus log", "transmission", "flat-field correction", "dark current",
              "logarithm", "Beer-Lambert", "absorption", "normalize"});
  n.input<Projections>("projections", "Detector counts with flats and darks.");
  n.output<Projections>("projections", "Absorption, or transmission without the logarithm.");
  n.param("reference", "Reference", &Params::reference,
          {{Reference::flats, "flats", "Flats of the scan"}, {Reference::none, "none", "None: normalised already"}})
      .help("Divide by the scan's flats, or take the views as transmission.");
  n.param("change", "Flats over time", &Params::change,
          {{ops::FlatChange::constant, "constant", "One average"},
           {ops::FlatChange::interpolate, "interpolate", "Interpolate in time"},
           {ops::FlatChange::before, "before", "The last before each view"}})
      .help(
          "Average all flats, interpolate between those before and after each view, or take the last before each view, "
          "as while a scan arrives: later flats then change nothing.");
  n.advanced_param("average", "Average", &Params::average,
                   {{ops::FrameAverage::mean, "mean", "Mean"}, {ops::FrameAverage::median, "median", "Median"}})
      .help("How the flats of one time, and the darks, are averaged; the median ignores zingers.");
  declare_logarithm(n);
  n.on_gpu().takes_counts();
  n.check(check).infos(infos).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::correct_flat_field_node

TL_NODE(correct_flat_field)
