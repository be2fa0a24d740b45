// core/nodes/align/reprojection.cpp: shifts of single views, from what the other views predict of them.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/measured.h"
#include "core/node/node_builder.h"
#include "core/nodes/align/align_views.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/unusable_report.h"
#include "gpu/alignment/views/view_motion.h"
#include "gpu/projection/projector/projector.h"

namespace tl::align_reprojection_node {

using ops::ViewChange;
using ops::ViewChanges;

struct Params {
  bool along_columns = true, roll = false, angle = false, magnification = false;
  int64_t coarsest = 8, finest = 1, iterations = 12;
  std::optional<double> reach;
  double smoothing = 0;
};

constexpr int64_t least_views = 8;
constexpr double clear = 3;  // sigma

const std::array all_changes = {ViewChange::shift_u, ViewChange::shift_v, ViewChange::roll, ViewChange::angle,
                                ViewChange::magnification};

std::vector<ViewChange> wanted_changes(const Params& p, const DetectorShape& detector) {
  constexpr int64_t least_rows = 4;  // fewer show no shift along the columns
  const bool tall = detector.rows >= least_rows;
  std::vector<ViewChange> kinds = {ViewChange::shift_u};
  if (p.along_columns && tall) kinds.push_back(ViewChange::shift_v);
  if (p.roll && tall) kinds.push_back(ViewChange::roll);
  if (p.angle) kinds.push_back(ViewChange::angle);
  if (p.magnification) kinds.push_back(ViewChange::magnification);
  return kinds;
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  TL_TRY(require_line_integrals(scan));
  if (!scan.geometry.is_parallel()) TL_TRY(check_fdk_orbit(scan.geometry));  // by which views are predicted
  if (scan.geometry.views() < least_views)
    return invalid("the scan has " + std::to_string(scan.geometry.views()) + " views, too few to predict one of them",
                   "projections", "At least " + std::to_string(least_views) + " are needed");
  if (p.finest > p.coarsest)
    return invalid("the finest pixels are larger than the coarsest", "finest", "Exchange them");
  return ok();
}

// The changes that a table of views holds, where they are to be used.
ViewChanges changes_of(const Table& table) {
  ViewChanges changes;
  std::vector<const Table::Column*> columns;
  const Table::Column* used = nullptr;
  for (const Table::Column& c : table.columns) {
    if (c.name == "used") used = &c;
    for (const ViewChange kind : all_changes)
      if (c.name == to_string(kind)) {
        changes.kinds.push_back(kind);
        columns.push_back(&c);
      }
  }
  TL_CHECK(used != nullptr && !columns.empty(), "the table of measure()");
  for (std::size_t i = 0; i < used->values.size(); ++i)
    for (const Table::Column* c : columns) changes.values.push_back(used->values[i] != 0 ? c->values[i] : 0);
  return changes;
}

Result<ScanGeometry> found_geometry(const ScanGeometry& geometry, const Findings& found) {
  return ops::changed(geometry, changes_of(std::get<Table>(found.values.at("views"))));
}

Result<Infos> infos(const Params&, const Infos& in, const Findings* found) {
  ProjectionsInfo scan = scan_of(in);
  if (found == nullptr) {
    scan.pending = true;
  } else {
    TL_TRY(scan.geometry, found_geometry(scan.geometry, *found));
  }
  return Infos{{"projections", scan}};
}

Result<Regions> measured_regions(const Params&, const Infos& in) {
  Regions all{{"projections", scan_of(in).geometry.full()}};
  if (in.count("mask") != 0) all["mask"] = full_region(in.at("mask"));
  return all;
}

// 1 where pixels count: measured, and on rays that meet what the mask labels. Undefined: all do.
Result<at::Tensor> pixels_that_count(const Projections& scan, const at::Tensor& usable, NodeRun& r) {
  at::Tensor counted;
  if (!usable.is_same(scan.data)) counted = usable.eq(scan.data).to(usable.scalar_type());
  if (!r.has_in("mask")) return counted;
  const auto& mask = r.in<Labels>("mask");
  TL_TRY(const OperatorPtr project, make_projector({scan.geometry, mask.grid, r.cancel()}));
  const at::Tensor object = mask.data.gt(0).to(usable.scalar_type()).contiguous();
  const at::Tensor met = project->apply(object).gt(0);
  if (!met.any().item<bool>())
    return invalid("no ray passes through the labelled voxels of the mask", "mask",
                   "Label the part of the volume whose rays are to be used");
  const at::Tensor rays = met.to(usable.scalar_type());
  return counted.defined() ? counted.mul(rays) : rays;
}

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x * x;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// What all views together say.
struct Summary {
  double shift = 0, sigma = 0;   // rms [px]
  double significance = 0;       // rms of changes over their sigma, of all kinds
  double before = 0, after = 0;  // rms errors of held-out views
  int64_t unknown = 0;           // views that do not show their shift along the rows
  std::vector<int64_t> jumps;
  Verdict verdict = Verdict::none;
  [[nodiscard]] bool moved() const { return significance > clear || !jumps.empty(); }
  bool only_shifts = true;  // nothing else was looked for
  // Shifts at the end of their range are better than none; rolls, angles and magnifications there went astray.
  [[nodiscard]] bool used() const {
    return moved() && (verdict == Verdict::resolved || (verdict == Verdict::railed && only_shifts));
  }
};

bool is_shift(ViewChange kind) { return kind == ViewChange::shift_u || kind == ViewChange::shift_v; }

Summary summary_of(const AlignedViews& found) {
  Summary s;
  const ViewChanges& changes = found.changes;
  const std::size_t kinds = changes.kinds.size();
  s.only_shifts = std::all_of(changes.kinds.begin(), changes.kinds.end(), is_shift);
  double shifts = 0, known_shifts = 0, variances = 0, ratios = 0, known = 0;
  for (std::size_t i = 0; i < changes.values.size(); ++i) {
    const double value = changes.values[i], sigma = found.sigma[i];
    const ViewChange kind = changes.kinds[i % kinds];
    if (!std::isfinite(sigma)) {
      s.unknown += kind == ViewChange::shift_u ? 1 : 0;
      continue;
    }
    ratios += value * value / (sigma * sigma);
    ++known;
    if (!is_shift(kind)) continue;
    shifts += value * value;
    variances += sigma * sigma;
    ++known_shifts;
  }
  if (known_shifts > 0) s.shift = std::sqrt(shifts / known_shifts), s.sigma = std::sqrt(variances / known_shifts);
  if (known > 0) s.significance = std::sqrt(ratios / known);
  s.before = std::sqrt(mean_square(found.error_before));
  s.after = std::sqrt(mean_square(found.error_after));
  constexpr double least_jump = 1, sigmas = 5;  // [px]
  for (std::size_t k = 0; k < kinds; ++k)
    if (is_shift(changes.kinds[k]))
      for (const int64_t view : ops::jumps(changes.list(k), std::max(least_jump, sigmas * s.sigma)))
        s.jumps.push_back(view);
  std::sort(s.jumps.begin(), s.jumps.end());
  s.jumps.erase(std::unique(s.jumps.begin(), s.jumps.end()), s.jumps.end());
  s.verdict = 2 * s.unknown >= static_cast<int64_t>(changes.views()) ? Verdict::flat
              : found.at_reach                                       ? Verdict::railed
              : s.moved() && !(s.after < s.before)                   ? Verdict::ambiguous
                                                                     : Verdict::resolved;
  return s;
}

Table table_of(const AlignedViews& found, const Summary& s) {
  const std::size_t kinds = found.changes.kinds.size(), views = found.changes.views();
  Table t;
  t.columns.push_back({"view", Unit::none, {}});
  for (std::size_t i = 0; i < views; ++i) t.columns.back().values.push_back(static_cast<double>(i));
  for (std::size_t k = 0; k < kinds; ++k) {
    const std::string name(to_string(found.changes.kinds[k]));
    const Unit unit = unit_of(found.changes.kinds[k]);
    t.columns.push_back({name, unit, found.changes.list(k)});
    t.columns.push_back({name + "_sigma", unit, {}});
    for (std::size_t i = 0; i < views; ++i) {
      const double sigma = found.sigma[i * kinds + k];
      t.columns.back().values.push_back(std::isfinite(sigma) ? sigma : 0);  // 0: its view does not show it
    }
  }
  t.columns.push_back({"error_before", Unit::none, found.error_before});
  t.columns.push_back({"error_after", Unit::none, found.error_after});
  t.columns.push_back({"jump", Unit::none, std::vector<double>(views, 0.0)});
  for (const int64_t view : s.jumps) t.columns.back().values[static_cast<std::size_t>(view)] = 1;
  t.columns.push_back({"used", Unit::none, std::vector<double>(views, s.used() ? 1.0 : 0.0)});
  return t;
}

std::string jumps_text(const std::vector<int64_t>& jumps) {
  if (jumps.empty()) return {};
  constexpr std::size_t named = 5;
  std::string text = jumps.size() == 1 ? " A jump before view " : " Jumps before views ";
  for (std::size_t i = 0; i < std::min(named, jumps.size()); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(jumps[i]);
  return text + (jumps.size() > named ? " and others." : ".");
}

void report_summary(const Summary& s, NodeRun& r) {
  const std::string shift = "Shifts of the views " + measured_text(s.shift, s.sigma) + " px (rms)";
  const int64_t percent = s.before > 0 ? std::llround(100 * (1 - s.after / s.before)) : 0;
  const std::string error = std::to_string(std::abs(percent)) + " %";
  switch (s.verdict) {
    case Verdict::flat:
      r.message(LogLevel::warning,
                "Shifts not determined: most views show nothing that the others predict. The "
                "geometry stays as it is.");
      return;
    case Verdict::railed:
      r.message(LogLevel::warning, shift +
                                       ", railed: some lie at the end of the search range, so that the true ones "
                                       "may lie beyond. " +
                                       (s.only_shifts ? "Widen 'Largest shift'."
                                                      : "With rolls, angles or magnifications nothing is used then: "
                                                        "the geometry stays as it is. Look for fewer of them.") +
                                       jumps_text(s.jumps));
      return;
    case Verdict::ambiguous:
      r.message(LogLevel::warning, shift + ", not resolved: with them, held-out views are predicted with " + error +
                                       " more error. The geometry stays as it is.");
      return;
    default: break;
  }
  r.message(LogLevel::info, s.moved() ? shift + ", resolved: held-out views are predicted with " + error +
                                            " less error." + jumps_text(s.jumps)
                                      : shift + ": no more than their uncertainty, so the geometry stays as it is.");
  if (s.unknown > 0)
    r.message(LogLevel::warning, std::to_string(s.unknown) +
                                     " views do not show their shift: it counts as that of the "
                                     "scan");
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  Projections scan = r.in<Projections>("projections");
  const DetectorShape& detector = scan.geometry.detector();
  TL_TRY(const at::Tensor usable, usable_line_integrals(scan.data, scan.geometry, r));
  TL_TRY(const at::Tensor present, pixels_that_count(scan, usable, r));
  scan.data = usable.contiguous();
  AlignViewsSpec spec;
  spec.kinds = wanted_changes(p, detector);
  spec.coarsest = p.coarsest;
  spec.finest = p.finest;
  spec.iterations = p.iterations;
  spec.reach = p.reach.value_or(0.25 * static_cast<double>(detector.cols));
  spec.smoothing = p.smoothing;
  TL_TRY(const AlignedViews found, align_views(scan, present, spec, r));
  const Summary s = summary_of(found);
  report_summary(s, r);
  Findings f;
  f.values["views"] = table_of(found, s);
  f.values["displacement"] = Scalar{at::scalar_tensor(s.shift, at::kDouble), Unit::px, s.sigma, s.verdict};
  return f;
}

Result<void> run(const Params&, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  if (out.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Remove this node while learning");
  TL_TRY(const ScanGeometry whole, found_geometry(r.info<ProjectionsInfo>("projections").geometry, *r.findings));
  out.geometry = whole.crop(std::get<ScanRegion>(r.region));
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("align.reprojection", 1).title("Align views").category("Alignment").partition(Partition::pointwise);
  n.where_input_is();
  n.not_differentiable("its iterations are not recorded");
  n.summary("Finds by how much the sample or the detector moved in each view, and corrects the geometry.");
  n.description(
      "Reconstructs the scan without a quarter of its views, projects the volume into these, and shifts each until it "
      "fits what was measured: first with pixels binned 8 x 8, which shows large shifts, then with ever smaller ones. "
      "No pixel is resampled. Shifts that a motion of the whole object gives as well, such as sine and cosine of the "
      "angle in a parallel beam, are not scan errors and are left out. The object may leave the rows and columns. "
      "Shifts below three times their uncertainty leave the geometry as it is.");
  n.cite(
      "D. Gursoy et al., Rapid alignment of nanotomography data using joint iterative reconstruction and reprojection, "
      "Scientific Reports 7 (2017) 11818");
  n.synonyms({"drift", "jitter", "motion", "vibration", "alignment", "wobble", "shift", "joint reprojection",
              "movement correction", "stage error"});
  n.input<Projections>("projections", "Absorption of a parallel-beam or circular cone-beam scan.");
  n.input<Labels>("mask", "The part of the object that does not deform: rays that miss it are left out.", false);
  n.output<Projections>("projections", "The same pixels, with the geometry corrected.");
  n.output<Table>("views",
                  "By view: what was found and one sigma (0: the view does not show it), root mean square error of its "
                  "prediction before and after, whether it jumps, whether the geometry uses it.");
  n.output<Scalar>("displacement", "Root mean square shift of the views.");
  n.param("along_columns", "Along columns too", &Params::along_columns)
      .help("Shifts along the rotation axis, in addition to those along the rows.");
  n.param("reach", "Largest shift", &Params::reach)
      .range(0.1, 1e5, Unit::px)
      .automatic("a quarter of the detector's width")
      .help("Shifts that reach this limit are reported as railed.");
  n.param("smoothing", "Smooth over", &Params::smoothing)
      .range(0, 1e5)
      .help("Width in views of a Gaussian over the shifts, for slow drifts; 0 = every view by itself.");
  n.advanced_param("roll", "Roll", &Params::roll).help("Rotation of each view in the plane of the detector.");
  n.advanced_param("angle", "Angle", &Params::angle).help("Error of the gantry angle of each view.");
  n.advanced_param("magnification", "Magnification", &Params::magnification)
      .help("Change of the size of each view, such as by a source or a sample that moves along the beam.");
  const Choices<int64_t> bins = {{8, "8", "8 x 8"}, {4, "4", "4 x 4"}, {2, "2", "2 x 2"}, {1, "1", "Single pixels"}};
  n.advanced_param("coarsest", "Coarsest pixels", &Params::coarsest, bins)
      .help("Pixels binned together at first; larger ones find larger shifts.");
  n.advanced_param("finest", "Finest pixels", &Params::finest, bins)
      .help("Pixels binned together at last; 2 x 2 is four times faster and hardly less exact.");
  n.advanced_param("iterations", "Iterations", &Params::iterations)
      .range(1, 1000)
      .help("Maximum number at each pixel size.");
  n.check(check).infos(infos).measure(measured_regions, measure).run(run);
}

}  // namespace tl::align_reprojection_node

TL_NODE(align_reprojection)
