// Weights and filters views for FBP and FDK, and sizes their volumes.
#include "core/nodes/filtered_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/grid_projection.h"
#include "core/base/oblique_plane.h"
#include "core/node/shared_memo.h"
#include "core/nodes/unusable_report.h"
#include "core/nodes/window_views.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/projection/view_weights.h"

namespace tl {
namespace {

double largest_roll(const Orbit& orbit) {
  double most = 0;
  for (const double roll : orbit.roll) most = std::max(most, std::abs(roll));
  return most;
}

std::string in_degrees(double angle) {
  return format_quantity(std::round(100 * from_stored(angle, Unit::deg)) / 100, Unit::deg);
}

// The value 1, with the gradient of the relative magnification of view 0: the filter's pitch on the virtual detector,
// and with it the scale of the filtered signal, depends on a learned geometry.
at::Tensor relative_magnification(const at::Tensor& vectors) {
  const auto part = [&](int64_t i) { return vectors[0].narrow(0, 3 * i, 3); };
  const at::Tensor source = part(0), normal = at::linalg_cross(part(3), part(2));
  const at::Tensor magnification = at::dot(normal, part(1) - source) / -at::dot(normal, source);
  return magnification / magnification.detach();
}

// The weights for redundant rays of a scan, with the reason in words.
Result<ops::RedundancyAdvice> rays_of(const FilterParams& params, const ScanGeometry& geometry) {
  // Unfiltered back-projection is the transpose of the line integrals: all views have the same weight.
  if (!params.filter) return ops::RedundancyAdvice{};
  if (params.rays) return ops::RedundancyAdvice{*params.rays, {}, false};
  return ops::advise_redundancy(geometry);
}

std::string_view redundancy_name(ops::Redundancy kind) {
  switch (kind) {
    case ops::Redundancy::parker: return "Parker's weights";
    case ops::Redundancy::smooth: return "ends of the scan faded";
    case ops::Redundancy::displaced: return "weights of a displaced detector";
    case ops::Redundancy::none: break;
  }
  return "every ray with the same weight";
}

std::string missing_views(const FilterParams& params, const ScanGeometry& geometry, ops::Redundancy kind) {
  return !params.filter ? std::string() : ops::describe_gaps(geometry, kind);
}

// column_factors() for a geometry that is being learned, [view, 1, 1].
at::Tensor learned_column_factors(const at::Tensor& vectors, double pitch_u) {
  const at::Tensor beam = vectors.narrow(1, 0, 3), u = vectors.narrow(1, 6, 3);
  const at::Tensor along = beam / beam.square().sum(1, true).sqrt();
  const at::Tensor across = u - (u * along).sum(1, true) * along;
  return (pitch_u / across.square().sum(1).sqrt()).view({-1, 1, 1});
}

// Parallel-beam views are filtered along their rows, even if the detector is rolled.
std::string rolling_views(const FilterParams& params, const ScanGeometry& geometry) {
  const auto orbit = params.filter && geometry.is_parallel() ? geometry.orbit() : std::nullopt;
  const double most = orbit ? largest_roll(*orbit) : 0;
  if (most <= max_fdk_roll) return {};
  return "views roll by up to " + in_degrees(most) +
         " from their mean, and are filtered along their rows, which is right to about 1 degree: an iterative "
         "reconstruction, such as recon.sirt, has no such limit";
}

// The weights converted to the type and device of the views.
at::Tensor like(const at::Tensor& views, const at::Tensor& weights) {
  return weights.to(views.device(), views.scalar_type());
}

at::Tensor weighted_before_filter(const FilterTask& task, const Projections& in, const at::Tensor& rays,
                                  const std::vector<double>& views) {
  const bool cone = task.cone == ConeWeights::fdk;
  const at::Tensor angles =
      rays.defined() ? rays : at::tensor(at::ArrayRef<double>(views), at::kDouble).view({-1, 1, 1});
  if (cone && in.vectors.defined()) {
    const at::Tensor cosines = ops::differentiable_fdk_weights(in.vectors, in.geometry.beam(), in.geometry.detector());
    return in.data * like(in.data, cosines * relative_magnification(in.vectors) * angles);
  }
  if (!cone && in.vectors.defined() && task.params.filter && in.geometry.is_parallel()) {
    const at::Tensor columns = learned_column_factors(in.vectors, in.geometry.detector().pitch_u);
    return in.data * like(in.data, angles * columns);
  }
  if (!cone) return in.data * like(in.data, angles);
  const OperatorPtr cosines =
      ops::make_fdk_weights(in.geometry, rays.defined() ? std::vector<double>{} : views).or_throw();
  const at::Tensor weighted = tl::apply(cosines, in.data);
  return rays.defined() ? weighted * like(weighted, rays) : weighted;
}

Result<at::Tensor> weigh_and_filter(const FilterTask& task, const Projections& given, ops::Redundancy kind,
                                    const ops::DetectorMargins& margins, NodeRun& r) {
  Projections in = given;
  TL_TRY(in.data, usable_line_integrals(given.data, given.geometry, r));
  at::Tensor rays;
  ops::ViewWeights angular;
  const std::vector<double> columns =
      task.params.filter && !in.vectors.defined() ? column_factors(in.geometry) : std::vector<double>{};
  if (kind == ops::Redundancy::none) {
    TL_TRY(angular, ops::view_weights(in.geometry));
    for (std::size_t i = 0; i < columns.size(); ++i) angular.weights[i] *= columns[i];
  } else {
    TL_TRY(rays, ops::redundancy_weights(in.geometry, kind, in.vectors));
    if (!columns.empty()) rays = rays * at::tensor(at::ArrayRef<double>(columns), at::kDouble).view({-1, 1, 1});
  }
  at::Tensor weighted = weighted_before_filter(task, in, rays, angular.weights);
  weighted = with_row_margin(weighted, task.row_margin);
  if (!task.params.filter) return weighted;
  if (margins.any()) weighted = at::constant_pad_nd(weighted, {margins.before, margins.after});
  return ramp_filtered(task, weighted, task.pitch, r);
}

// Digest of everything on which filtered views depend. In a parallel beam they do not depend on the axis.
Hash content_of(const FilterTask& task, const Projections& in, ops::Redundancy kind) {
  Hasher hasher;
  for (const int64_t n : in.data.sizes()) hasher.add(n);
  if (in.contents.empty()) {
    const at::Tensor data = in.data.contiguous();
    hasher.add(std::string_view(static_cast<const char*>(data.const_data_ptr()), data.nbytes()));
  }
  for (const Hash& view : in.contents) hasher.add(view);
  add_filter_settings(task, hasher);
  hasher.add(static_cast<int64_t>(kind)).add(task.row_margin).add(task.pitch);
  const bool by_angle = kind == ops::Redundancy::none && task.cone == ConeWeights::none;
  for (const double v : by_angle ? ops::view_weights(in.geometry).or_throw().weights : in.geometry.vectors())
    hasher.add(v);
  if (by_angle)
    for (const double factor : column_factors(in.geometry)) hasher.add(factor);
  return hasher.digest();
}

}  // namespace

Result<void> check_fdk_orbit(const ScanGeometry& geometry) {
  const char* instead = "Use an iterative reconstruction, such as recon.sirt: it needs no such orbit";
  const auto orbit = geometry.orbit();
  if (!orbit || orbit->beam != Beam::cone)
    return invalid("FDK needs a cone beam and a circular orbit", "projections", instead);
  if (largest_roll(*orbit) > max_fdk_roll)
    return invalid("views roll by up to " + in_degrees(largest_roll(*orbit)) +
                       " from their mean: FDK filters along detector rows, for rolls up to " + in_degrees(max_fdk_roll),
                   "projections", instead);
  if (std::abs(orbit->pitch) > max_fdk_pitch)
    return invalid("the detector has a pitch of " + in_degrees(orbit->pitch) +
                       " to the rotation axis: FDK is for pitches up to " + in_degrees(max_fdk_pitch),
                   "projections", instead);
  return ok();
}

std::vector<double> column_factors(const ScanGeometry& geometry) {
  constexpr double rounding = 1e-9;
  std::vector<double> factors;
  if (!geometry.is_parallel()) return factors;
  bool any = false;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    const View& w = geometry.view(i);
    const Vec3 along = (1 / norm(w.beam)) * w.beam;
    factors.push_back(geometry.detector().pitch_u / norm(w.u - dot(w.u, along) * along));
    any = any || std::abs(factors.back() - 1) > rounding;
  }
  if (!any) factors.clear();
  return factors;
}

// On a displaced detector the object extends beyond the edge on the side that opposite views complete, where the rows
// are extended: that is not truncation.
void report_truncation(const FilterTask& task, const at::Tensor& views, const ops::DetectorMargins& margins,
                       NodeRun& r) {
  constexpr double in_air = 0.05;  // of the largest row mean
  if (task.params.extension || r.learning || views.size(2) < 2) return;
  const at::Tensor columns = views.detach().abs().mean(at::IntArrayRef{0, 1});
  const double edge = std::max(margins.before > 0 ? 0.0 : columns[0].item<double>(),
                               margins.after > 0 ? 0.0 : columns[-1].item<double>());
  if (edge > in_air * columns.max().item<double>())
    r.message(LogLevel::info, "the object seems to reach beyond the detector: its rows are continued smoothly");
}

Result<at::Tensor> ramp_filtered(const FilterTask& task, const at::Tensor& weighted, double pitch, NodeRun& r) {
  TL_TRY(OperatorPtr ramp,
         ops::make_ramp_filter({weighted.size(0), weighted.size(1), weighted.size(2), pitch, *task.params.filter,
                                task.params.cutoff, task.params.extension.value_or(ops::RowExtension::smooth),
                                r.cancel(), task.params.kernel}));
  r.count_work(std::string(filtered_views_count), weighted.size(0));
  return tl::apply(ramp, weighted.contiguous());
}

void add_filter_settings(const FilterTask& task, Hasher& hasher) {
  const auto number = [](auto choice) { return choice ? static_cast<int64_t>(*choice) : -1; };
  for (const int64_t choice : {number(task.params.filter), number(task.params.extension),
                               static_cast<int64_t>(task.params.kernel), static_cast<int64_t>(task.cone)})
    hasher.add(choice);
  hasher.add(task.params.cutoff);
}

Choices<std::optional<ops::RampWindow>> ramp_choices() {
  Choices<std::optional<ops::RampWindow>> all = {{std::nullopt, "none", "None"}};
  for (const ops::RampWindowEntry& window : ops::ramp_windows())
    all.push_back({ops::parse_ramp_window(window.name), std::string(window.name), std::string(window.title)});
  return all;
}

int64_t row_margin(const ScanGeometry& geometry, const VolumeGrid& grid) {
  // The same for every position of an oblique plane, so that its views are filtered once.
  if (is_oblique_plane(grid)) return 1;
  constexpr double rounding = 1e-6;  // of a row
  const std::optional<RowSpan> span = projected_rows(geometry, grid);
  const double last = static_cast<double>(geometry.detector().rows - 1);
  return !span || span->lowest < -rounding || span->highest > last + rounding ? 1 : 0;
}

ScanGeometry with_row_margin(const ScanGeometry& geometry, int64_t margin) {
  if (margin == 0) return geometry;
  DetectorShape detector = geometry.detector();
  detector.rows += 2 * margin;
  return ScanGeometry::from_vectors(geometry.beam(), detector, geometry.vectors()).or_throw();
}

at::Tensor with_row_margin(const at::Tensor& views, int64_t margin) {
  if (margin == 0) return views;
  const auto repeated = [&](int64_t row) { return views.narrow(1, row, 1).expand({-1, margin, -1}); };
  return at::cat({repeated(0), views, repeated(views.size(1) - 1)}, 1);
}

Result<ops::RedundancyAdvice> choose_ray_weights(const FilterParams& params, const ScanGeometry& geometry, NodeRun& r) {
  const ScanGeometry& whole = r.info<ProjectionsInfo>("projections").geometry;
  const auto made = r.memo<ops::RedundancyAdvice>("ray weights", 256, [&] {
    auto chosen = std::make_shared<ops::RedundancyAdvice>(rays_of(params, whole).or_throw());
    if (!chosen->reason.empty() && (chosen->kind != ops::Redundancy::none || chosen->incomplete) && !r.learning)
      r.message(chosen->incomplete ? LogLevel::warning : LogLevel::info,
                std::string(redundancy_name(chosen->kind)) + ": " + chosen->reason);
    if (const std::string gaps = missing_views(params, whole, chosen->kind); !gaps.empty() && !r.learning)
      r.message(LogLevel::warning, gaps);
    if (const std::string rolls = rolling_views(params, whole); !rolls.empty() && !r.learning)
      r.message(LogLevel::warning, rolls);
    return chosen;
  });
  // A coarse first image uses only some views, for which the weights of the whole scan may be impossible.
  const bool some = geometry.views() != whole.views() && !params.rays;
  return some && !ops::check_redundancy(geometry, made->kind).ok() ? rays_of(params, geometry) : *made;
}

Result<FilteredViews> filtered_views(const FilterTask& wanted, const Projections& in, NodeRun& r) {
  FilterTask task = wanted;
  // All images of a window of a stream share views with a margin, which does not change images that do not need it.
  if (!in.contents.empty() && wanted.params.filter) task.row_margin = window_row_margin;
  TL_TRY(const ops::RedundancyAdvice chosen, choose_ray_weights(task.params, in.geometry, r));
  TL_TRY(const ops::DetectorMargins margins, ops::redundancy_margins(in.geometry, chosen.kind));
  // The rows of this region are identified by the position of its detector and their number.
  const View& v = in.geometry.view(0);
  const std::string name = "filtered " + std::to_string(in.geometry.detector().rows) + "+" +
                           std::to_string(task.row_margin) + " rows at " + format_quantity(v.detector.x, Unit::none) +
                           " " + format_quantity(v.detector.y, Unit::none) + " " +
                           format_quantity(v.detector.z, Unit::none);
  // Views of a window of a stream, which later windows reuse. Other blocks of a run use other rows, unless each needs
  // all rows.
  const bool rows_differ =
      in.geometry.detector().rows < r.info<ProjectionsInfo>("projections").geometry.detector().rows;
  const bool once = r.learning || (r.batch && rows_differ);
  const bool windows_share_views = !once && task.params.filter && !in.contents.empty();
  const bool rays_equal = chosen.kind == ops::Redundancy::none;
  const auto make = [&] {
    if (windows_share_views && rays_equal) {
      const WindowViews window = window_views(task, in, r).or_throw();
      if (!window.views.empty())
        return std::make_shared<at::Tensor>(weighted_views(window, {0, std::ssize(window.views)}, task.row_margin));
    } else {
      if (windows_share_views)
        r.message(LogLevel::info, "ray weights follow the window: all of its views are filtered, not only new ones");
      report_truncation(task, in.data, margins, r);
    }
    return std::make_shared<at::Tensor>(weigh_and_filter(task, in, chosen.kind, margins, r).or_throw());
  };
  const ScanGeometry filtered_scan = with_row_margin(ops::with_detector_margins(in.geometry, margins), task.row_margin);
  if (once) return FilteredViews{*make(), filtered_scan, ops::with_detector_margins(in.vectors, margins)};
  const auto bytes = static_cast<int64_t>(in.data.nbytes());
  // On a GPU filtering is faster than copying the pixels back for their digest.
  if (r.device != "cpu") {
    const auto filtered = r.memo<at::Tensor>(name + ", views", bytes, make);
    return FilteredViews{*filtered, filtered_scan, ops::with_detector_margins(in.vectors, margins)};
  }
  // Computing a digest of the pixels takes a fraction of the time of filtering; it is computed once while nothing
  // changes.
  const auto content =
      r.memo<Hash>(name, 64, [&] { return std::make_shared<Hash>(content_of(task, in, chosen.kind)); });
  const auto filtered = shared_memo<at::Tensor>(r, *content, bytes, make);
  return FilteredViews{*filtered, filtered_scan, ops::with_detector_margins(in.vectors, margins)};
}

Result<at::Tensor> filter_views_once(const FilterTask& task, const Projections& in, NodeRun& r) {
  TL_TRY(const ops::RedundancyAdvice chosen, choose_ray_weights(task.params, in.geometry, r));
  TL_TRY(const ops::DetectorMargins margins, ops::redundancy_margins(in.geometry, chosen.kind));
  return weigh_and_filter(task, in, chosen.kind, margins, r);
}

Result<void> check_ray_weights(const FilterParams& params, const ScanGeometry& geometry) {
  if (!params.rays) return ok();
  TL_TRY(const ops::RedundancyAdvice chosen, rays_of(params, geometry));
  return ops::check_redundancy(geometry, chosen.kind);
}

Result<ScanGeometry> filtered_geometry(const FilterParams& params, const ScanGeometry& geometry) {
  TL_TRY(const ops::RedundancyAdvice chosen, rays_of(params, geometry));
  TL_TRY(const ops::DetectorMargins margins, ops::redundancy_margins(geometry, chosen.kind));
  return ops::with_detector_margins(geometry, margins);
}

Result<void> require_line_integrals(const ProjectionsInfo& scan) {
  if (scan.kind == PixelKind::absorption || scan.kind == PixelKind::thickness) return ok();
  return invalid("reconstruction needs absorption, this is " + std::string(to_string(scan.kind)), "projections",
                 scan.kind == PixelKind::counts
                     ? "Insert a flat-field node before this node"
                     : "Switch on the logarithm in the flat-field or phase node before this node");
}

Result<VolumeGrid> wanted_grid(const ScanGeometry& geometry, const GridParams& params) {
  VolumeGrid grid = default_grid(geometry);
  if (params.voxel_size) {
    const double size = params.voxel_size->value;
    // The number of whole voxels that cover the field.
    constexpr double rounding = 1e-6;  // of a voxel
    const auto fit = [size](int64_t n, const Vec3& step) {
      return std::max<int64_t>(1,
                               static_cast<int64_t>(std::ceil(static_cast<double>(n) * norm(step) / size - rounding)));
    };
    const VolumeGrid old = grid;
    grid =
        VolumeGrid::cubic(fit(old.nz, old.step_z), fit(old.ny, old.step_y), fit(old.nx, old.step_x), size, old.centre);
  }
  if (params.width) grid.nx = grid.ny = *params.width;
  TL_TRY(grid.validate());
  return grid;
}

Result<VolumeGrid> wanted_grid(const ScanGeometry& geometry, const GridParams& params, const FilterParams& filter) {
  GridParams wider = params;
  if (!params.width) {
    TL_TRY(const ScanGeometry filtered, filtered_geometry(filter, geometry));
    const int64_t cols = geometry.detector().cols, more = filtered.detector().cols - cols;
    TL_TRY(const VolumeGrid grid, wanted_grid(geometry, params));
    if (more > 0) wider.width = grid.nx + std::llround(static_cast<double>(grid.nx * more) / static_cast<double>(cols));
  }
  return wanted_grid(geometry, wider);
}

ScanRegion needed_views(const Infos& in, const Region& wanted) {
  const ScanGeometry& geometry = scan_of(in).geometry;
  const VolumeGrid& grid = std::get<VolumeGrid>(wanted);
  const ScanRegion needed = projected_region(geometry, grid), all = geometry.full();
  // A plane that the user rotates needs other rows at every step: all rows are filtered once and cached instead. A box
  // of large voxels, such as that of the 3D view, needs nearly all rows, and then shares these views.
  constexpr int64_t share = 16;
  const bool nearly_all = share * needed.rows.size() >= (share - 1) * all.rows.size();
  const bool shares_all = (is_oblique_plane(grid) || nearly_all) && needed.views == all.views;
  return shares_all && region_bytes(all, sizeof(float)) <= max_oblique_bytes ? all : needed;
}

int64_t filtered_bytes(const FilterParams& params, const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion needed = needed_views(in, wanted);
  const auto wide = filtered_geometry(params, scan_of(in).geometry);
  const int64_t cols = wide.ok() ? wide.value().detector().cols : needed.cols.size();
  const int64_t rows = needed.rows.size() + 2 * row_margin(scan_of(in).geometry, std::get<VolumeGrid>(wanted));
  return 2 * needed.views.size() * rows * cols * element_size;
}

}  // namespace tl
