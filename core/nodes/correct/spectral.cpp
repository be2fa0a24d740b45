// core/nodes/correct/spectral.cpp: beam-hardening correction that finds spectrum, attenuations and segmentation itself.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/nodes/filtered_views.h"
#include "core/nodes/segment/segment_node.h"
#include "core/values/crop.h"
#include "gpu/correction/unusable_values.h"
#include "gpu/image/gaussian_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/projector/projector.h"
#include "gpu/solve/spectral_correction.h"

namespace tl::correct_spectral_node {

struct Params : GridParams {
  solve::SpectralMethod method = solve::SpectralMethod::joint;
  int64_t classes = 3, bins = 3, steps = 8, levels = 64;
  double smoothing = 0;
};

// The complete result, from which run() takes its regions.
struct Whole {
  at::Tensor corrected, labels;
};

// Noise between thresholds costs labels, sharp edges do not matter there.
FilterParams segmentation_filter() {
  FilterParams f;
  f.filter = ops::RampWindow::hann;
  return f;
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind != PixelKind::absorption)
    return invalid("beam hardening is corrected in absorption, this is " + std::string(to_string(scan.kind)),
                   "projections", "Put the flat-field node before this node");
  if (!scan.geometry.is_parallel()) TL_TRY(check_fdk_orbit(scan.geometry));  // of the segmentation
  TL_TRY(check_ray_weights(segmentation_filter(), scan.geometry));
  TL_TRY(wanted_grid(scan.geometry, p, segmentation_filter()));
  return ok();
}

// Memory for the measurement besides the scan: views of all levels, or of soft masks and their slopes, in double;
// masks; measured and modelled views in the fit.
int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t) {
  const ScanRegion all = scan_of(in).geometry.full();
  const auto grid = wanted_grid(scan_of(in).geometry, p, segmentation_filter());
  const int64_t rays = all.views.size() * all.rows.size() * all.cols.size(),
                voxels = grid.ok() ? grid.value().count() : 0;
  const int64_t masks = 2 * (p.classes - 1);
  const int64_t views = p.method == solve::SpectralMethod::isp ? std::max(p.levels, masks) : masks;
  constexpr int64_t number = 8, more_views = 8, more_volumes = 4;
  return number * ((views + more_views) * rays + (masks + more_volumes) * voxels);
}

LabelTable table_of(const Params& p) {
  LabelTable table;
  table.classes.push_back({0, "air", ""});
  for (int64_t m = 1; m < p.classes; ++m) table.classes.push_back({m, "material " + std::to_string(m), ""});
  return table;
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  scan.flats = scan.darks = 0;
  TL_TRY(const VolumeGrid grid, wanted_grid(scan.geometry, p, segmentation_filter()));
  return Infos{{"projections", scan}, {"labels", LabelsInfo{grid, table_of(p)}}};
}

Result<Regions> whole_scan(const Params&, const Infos& in) {
  return Regions{{"projections", full_region(in.at("projections"))}};
}

// No input is needed: everything was computed during the measurement.
Result<Regions> nothing(const Params&, const Infos&, const Region&) { return Regions{}; }

std::function<at::Tensor(const at::Tensor&)> reconstruction(const Params& p, const VolumeGrid& grid,
                                                            const Projections& scan, NodeRun& r) {
  const bool cone = !scan.geometry.is_parallel();
  const double pitch = scan.geometry.detector().pitch_u / (cone ? scan.geometry.magnification() : 1);
  const FilterTask task{segmentation_filter(), pitch, cone ? ConeWeights::fdk : ConeWeights::none,
                        row_margin(scan.geometry, grid)};
  const ScanGeometry wide =
      with_row_margin(filtered_geometry(segmentation_filter(), scan.geometry).or_throw(), task.row_margin);
  const DistanceWeight weight = cone ? DistanceWeight::fdk : DistanceWeight::none;
  const OperatorPtr back = make_back_projector({wide, grid, weight, r.cancel()}).or_throw();
  OperatorPtr smooth;
  if (p.smoothing > 0) {
    ops::GaussianSpec spec{.nz = grid.nz,
                           .ny = grid.ny,
                           .nx = grid.nx,
                           .sigma = {p.smoothing, p.smoothing, p.smoothing},
                           .cancel = r.cancel()};
    smooth = ops::make_gaussian_filter(spec).or_throw();
  }
  return [task, back, smooth, geometry = scan.geometry, &r](const at::Tensor& views) {
    Projections once;
    once.data = ops::fill_unusable_values(views.contiguous(), 0, &geometry).data;
    once.geometry = geometry;
    once.kind = PixelKind::absorption;
    const at::Tensor volume = back->apply(filter_views_once(task, once, r).or_throw().contiguous());
    return smooth ? smooth->apply(volume) : volume;
  };
}

// In a parallel beam with an upright axis, a slice projects onto one detector row: a stack of a single slice.
std::function<OperatorPtr(int64_t)> stack_projector(const ScanGeometry& geometry, const VolumeGrid& grid,
                                                    const CancelToken& cancel) {
  constexpr double same = 1e-6;  // of a row
  const bool single = grid.nz == 1 && geometry.detector().rows == 1 && geometry.is_parallel() &&
                      geometry.is_plain_circular() &&
                      std::abs(geometry.detector().pitch_v / norm(grid.step_z) - 1) < same &&
                      std::abs(geometry.project(0, grid.position(0, 0, 0)).row) < same;
  if (!single) return {};
  return [geometry, grid, cancel](int64_t n) {
    DetectorShape detector = geometry.detector();
    detector.rows = n;
    VolumeGrid stack = grid;
    stack.nz = n;
    return make_projector({ScanGeometry::from_orbit(*geometry.orbit(), detector).or_throw(), stack, cancel}).or_throw();
  };
}

// The views without invalid values (NaN), which are excluded from the fit.
Result<at::Tensor> usable(const at::Tensor& data, NodeRun& r) {
  const ops::UsableViews filled = ops::fill_unusable_values(data, 0);
  if (!filled.found.any()) return data;
  const at::Tensor kept = data.eq(filled.data);
  if (!kept.any().item<bool>()) return invalid("no value of the scan is a finite absorption", "projections");
  r.message(LogLevel::warning, std::to_string(filled.found.values) + " of " + std::to_string(data.numel()) +
                                   " values are not finite or beyond 4e9, " + std::to_string(filled.found.dead_views) +
                                   " views are constant: they are left out of the fit and stay as they are");
  return at::where(kept, data, at::full({}, std::nan(""), data.options()));
}

Table attenuation_table(const solve::SpectralCorrection& c) {
  Table t;
  t.columns.push_back({"material", Unit::none, {}});
  t.columns.push_back({"corrected", Unit::per_mm, c.reference});
  for (int64_t k = 0; k < c.model.bins; ++k) t.columns.push_back({"bin_" + std::to_string(k + 1), Unit::per_mm, {}});
  for (int64_t m = 0; m < c.model.materials; ++m) {
    t.columns[0].values.push_back(static_cast<double>(m + 1));
    for (int64_t k = 0; k < c.model.bins; ++k)
      t.columns[static_cast<std::size_t>(2 + k)].values.push_back(c.model.at(m, k));
  }
  return t;
}

Table spectrum_table(const solve::SpectralCorrection& c) {
  Table t{{{"bin", Unit::none, {}}, {"weight", Unit::none, c.model.weight}}};
  for (int64_t k = 0; k < c.model.bins; ++k) t.columns[0].values.push_back(static_cast<double>(k + 1));
  return t;
}

solve::SpectralSpec spec_of(const Params& p, NodeRun& r) {
  solve::SpectralSpec spec{.method = p.method,
                           .classes = p.classes,
                           .bins = p.bins,
                           .steps = p.steps,
                           .levels = p.levels,
                           .cancel = r.cancel()};
  spec.report = [&r, &p](const solve::SpectralStep& s) {
    r.metric("loss", s.step, s.loss);
    r.metric("evaluations", s.step, static_cast<double>(s.evaluations));
    for (std::size_t k = 0; k < s.thresholds.size(); ++k)
      r.metric("threshold_" + std::to_string(k + 1), s.step, s.thresholds[k]);
    r.host().event([&](EventSink& sink) { sink.node_progress(r.node(), s.step, p.steps); });
  };
  return spec;
}

void report(const solve::SpectralCorrection& c, const Params& p, NodeRun& r) {
  if (!c.handed_back.empty()) {
    r.message(LogLevel::warning, "nothing is corrected: " + c.handed_back);
    return;
  }
  std::string text = "rms of the model minus the views " + format_quantity(std::sqrt(c.loss), Unit::none) + " after " +
                     std::to_string(c.evaluations) + " evaluations; attenuation in the corrected views";
  for (std::size_t m = 0; m < c.reference.size(); ++m)
    text += (m == 0 ? " " : ", ") + format_quantity(from_stored(c.reference[m], Unit::per_cm), Unit::per_cm);
  r.message(LogLevel::info, text);
  if (!c.converged && p.steps > 1)
    r.message(LogLevel::warning, "the fit still improved after " + std::to_string(p.steps) + " steps: allow more");
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& scan = r.in<Projections>("projections");
  TL_TRY(const VolumeGrid grid, wanted_grid(scan.geometry, p, segmentation_filter()));
  TL_TRY(const at::Tensor measured, usable(scan.data.contiguous(), r));
  solve::SpectralTask task;
  task.measured = measured;
  TL_TRY(task.project, make_projector({scan.geometry, grid, r.cancel()}));
  task.project_stack = stack_projector(scan.geometry, grid, r.cancel());
  task.reconstruct = reconstruction(p, grid, scan, r);
  const solve::SpectralCorrection c = solve::correct_spectral(task, spec_of(p, r));
  report(c, p, r);
  auto whole = std::make_shared<Whole>();
  whole->corrected = at::where(measured.isfinite(), c.corrected, scan.data);
  whole->labels = c.labels;
  Findings f;
  f.values["attenuations"] = attenuation_table(c);
  f.values["spectrum"] = spectrum_table(c);
  f.values["loss"] = Scalar{at::scalar_tensor(c.loss, at::kDouble)};
  f.kept = whole;
  f.kept_bytes = static_cast<int64_t>(whole->corrected.nbytes() + whole->labels.nbytes());
  return f;
}

Result<void> run(const Params& p, NodeRun& r) {
  if (r.learning)
    return invalid("gradients do not pass through the spectral correction", r.node(),
                   "Learn with 'Spectral projection' or 'Beam hardening' instead");
  TL_CHECK(r.findings != nullptr && r.findings->kept != nullptr, "views are corrected before they are cut");
  const Whole& whole = *static_cast<const Whole*>(r.findings->kept.get());
  const ProjectionsInfo& scan = r.info<ProjectionsInfo>("projections");
  if (const auto* grid = std::get_if<VolumeGrid>(&r.region)) {
    TL_TRY(const VolumeGrid full, wanted_grid(scan.geometry, p, segmentation_filter()));
    return r.done("labels", Labels{labels_at(whole.labels, full, *grid), *grid});
  }
  Projections out;
  out.data = whole.corrected.to(r.dtype);
  out.geometry = scan.geometry;
  out.kind = PixelKind::absorption;
  return r.done("projections", crop(out, std::get<ScanRegion>(r.region)));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.spectral", 1).title("Spectral correction").category("Correction").partition(Partition::custom);
  n.not_differentiable("thresholds and bins are fitted by steps that are not recorded");
  n.summary("Beam-hardening correction that finds the spectrum, the attenuations and the materials from the scan.");
  n.description(
      "The views are modelled as p = -ln(sum_e S_e exp(-sum_m mu_me L_m)) with a few energy bins e, where L_m is the "
      "path length in material m of a segmented reconstruction. Weights S, attenuations mu and the thresholds between "
      "materials are fitted to the views by least squares; the difference between a beam of one energy and the "
      "modelled beam is added to the views, and they are reconstructed and segmented again, until the misfit no longer "
      "decreases. 'Joint' moves thresholds, attenuations and weights together, through masks with soft edges; 'ISP' "
      "fits the model for fixed masks and then searches the best thresholds among the levels of a histogram. The "
      "materials must differ in their attenuation and be uniform; tube, filter and detector need not be known. The "
      "bins are not physical energies: other spectra with the same effect on these materials fit as well. The whole "
      "scan has to fit into memory. Views without an object, or with a single class, are passed on unchanged with a "
      "warning.");
  n.cite("G. Van Gompel et al., Iterative correction of beam hardening artifacts in CT, Med. Phys. 38, S36 (2011)");
  n.cite("R. Schoonhoven, On the optimization of imaging pipelines, PhD thesis, Leiden University (2024), chapter 3");
  n.synonyms({"cupping", "beam hardening", "polychromatic", "ISP", "iterative segmentation and projection", "streaks",
              "metal artefacts", "energy"});
  n.example({{"method", "isp"}, {"classes", "2"}});
  n.input<Projections>("projections", "Absorption of a polychromatic beam.");
  n.output<Projections>("projections", "Absorption of a beam of one energy.");
  n.output<Labels>("labels", "The materials, from 1 in rising order of attenuation; 0 is air.");
  n.output<Table>("attenuations", "Attenuation of each material in the corrected views and in each energy bin.");
  n.output<Table>("spectrum", "Weight of each energy bin, in falling order of attenuation.");
  n.output<Scalar>("loss", "Mean square of the modelled minus the measured views.");
  n.param("method", "Method", &Params::method,
          {{solve::SpectralMethod::isp, "isp", "ISP"}, {solve::SpectralMethod::joint, "joint", "Joint descent"}})
      .help("Whether thresholds are searched separately from the fit of the model, or jointly with it.");
  n.param("classes", "Classes", &Params::classes).range(1, 6).help("Materials, air included.");
  n.param("bins", "Energy bins", &Params::bins).range(1, 8).help("Energies of the model; three are enough.");
  n.param("steps", "Steps", &Params::steps)
      .range(1, 1000)
      .help("Largest number of rounds of segmentation, fit and reconstruction; fewer where the fit settles.");
  n.param("smoothing", "Smoothing", &Params::smoothing)
      .range(0, 20, Unit::px)
      .help("Standard deviation of a Gaussian filter before the segmentation, in voxels: against noise.");
  n.advanced_param("levels", "Levels", &Params::levels)
      .range(8, 1024)
      .help("ISP: number of grey levels among which thresholds are chosen. Memory for as many scans is needed.");
  declare_grid(n, "the pixel size");
  n.check(check).infos(infos).needs(nothing).workspace(workspace).measure(whole_scan, measure).run(run);
}

}  // namespace tl::correct_spectral_node

TL_NODE(correct_spectral)
