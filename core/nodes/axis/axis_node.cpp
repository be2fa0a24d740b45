// Shared by the nodes that find the rotation axis: checks, regions and outputs.
#include "core/nodes/axis/axis_node.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/nodes/nominal_orbit.h"
#include "core/values/view_shifts.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/lean.h"
#include "gpu/axis/line.h"
#include "gpu/axis/ring_search.h"
#include "gpu/correction/view_resampling.h"

namespace tl {
namespace {

Result<ScanGeometry> with_axis(const ScanGeometry& geometry, double axis, double tilt) {
  auto orbit = geometry.orbit();
  if (!orbit)
    return invalid("an axis is searched for on circular orbits only: this scan has another one", "projections",
                   "Remove this node");
  orbit->axis = axis;
  orbit->tilt = tilt;
  return ScanGeometry::from_orbit(*orbit, geometry.detector());
}

double used_tilt(const Findings& found) {
  const auto& tilt = std::get<Scalar>(found.values.at("tilt"));
  return tilt.verdict == Verdict::resolved ? tilt.value.item<double>() : 0;
}

// The axis for later nodes: the axis of the scan if the data do not determine one.
Result<ScanGeometry> found_geometry(const ScanGeometry& geometry, const Findings& found) {
  const auto& axis = std::get<Scalar>(found.values.at("axis"));
  if (axis.verdict == Verdict::flat) return geometry;
  return with_axis(geometry, axis.value.item<double>(), used_tilt(found));
}

Verdict to_verdict(ops::AxisVerdict v) {
  switch (v) {
    case ops::AxisVerdict::resolved: return Verdict::resolved;
    case ops::AxisVerdict::railed: return Verdict::railed;
    case ops::AxisVerdict::ambiguous: return Verdict::ambiguous;
    case ops::AxisVerdict::flat: break;
  }
  return Verdict::flat;
}

// Groups of rows, each within the detector.
std::vector<Range> row_groups(const AxisNodeParams& p, int64_t all) {
  const int64_t count = std::min(p.rows, all);
  std::vector<int64_t> middles = {p.row.value_or(all / 2)};
  if (p.heights > 1) middles = ops::axis_rows(all, p.heights);
  std::vector<Range> groups;
  for (const int64_t middle : middles) {
    const int64_t first = std::clamp<int64_t>(middle - count / 2, 0, all - count);
    groups.push_back({first, first + count});
  }
  return groups;
}

Scalar scalar(double value, Unit unit, double uncertainty, Verdict verdict) {
  return {at::scalar_tensor(value, at::kDouble), unit, uncertainty, verdict};
}

// "-23.67 ± 0.02 px, resolved", with the digits that the uncertainty leaves meaningful.
std::string found_words(double value, double sigma, Unit unit, Verdict verdict) {
  if (verdict == Verdict::flat) return "not determined";
  const Unit shown = unit == Unit::rad ? Unit::deg : unit;
  const double at = from_stored(value, shown), give = from_stored(sigma, shown);
  const bool known = give > 0 && std::isfinite(give);
  const int digits = known ? std::clamp(static_cast<int>(std::ceil(-std::log10(give))) + (give < 1 ? 0 : 1), 0, 9) : 2;
  return (known ? formatted("%.*f ± %.*f ", digits, at, digits, give) : formatted("%.*f ", digits, at)) +
         std::string(symbol(shown)) + ", " + std::string(to_string(verdict));
}

void report_axis(const std::string& text, ops::AxisVerdict verdict, NodeRun& r) {
  r.message(verdict == ops::AxisVerdict::resolved ? LogLevel::info : LogLevel::warning, text);
}

Table curve_of(const ops::AxisResult& result) {
  return Table{{{"axis", Unit::px, result.curve_axis}, {"score", Unit::none, result.curve_score}}};
}

Table heights_of(const std::vector<ops::AxisAtHeight>& points, const std::vector<bool>& used) {
  Table t{{{"height", Unit::px, {}}, {"axis", Unit::px, {}}, {"uncertainty", Unit::px, {}}, {"used", Unit::none, {}}}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    t.columns[0].values.push_back(points[i].height);
    t.columns[1].values.push_back(points[i].axis);
    t.columns[2].values.push_back(points[i].sigma);
    t.columns[3].values.push_back(used[i] ? 1 : 0);
  }
  return t;
}

}  // namespace

Result<void> check_axis_node(const AxisNodeParams& p, const Infos& in, Beam beam) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind != PixelKind::absorption)
    return invalid("the axis is searched in absorption, but the scan is " + std::string(to_string(scan.kind)),
                   "projections", "Put the flat-field node before this one");
  const auto orbit = scan.geometry.orbit();
  if (!orbit || orbit->beam != beam)
    return beam == Beam::parallel
               ? invalid("this method needs a parallel beam and a circular scan", "projections",
                         "For a cone beam use the node axis.conjugate_rays, or give the axis in the geometry node")
               : invalid("this method needs a cone beam and a circular scan", "projections",
                         "For a parallel beam use the node axis.wedge");
  if (orbit->tilt != 0 || orbit->lamino != 0)
    return invalid("this method needs an axis without tilt", "projections", "Set the tilt after the axis was found");
  TL_TRY(require_nominal(*orbit, "this method", "Set them after the axis was found"));
  const DetectorShape& d = scan.geometry.detector();
  if (p.row && *p.row >= d.rows)
    return invalid("the detector has " + std::to_string(d.rows) + " rows", "row", "Rows count from 0");
  if (std::abs(p.centre) > 0.5 * static_cast<double>(d.cols))
    return invalid("the centre of the search range is outside the detector", "centre",
                   "Positions are pixels from the detector centre");
  return ok();
}

Result<void> check_opposite_rays(const AxisNodeParams& p, const Infos& in) {
  TL_TRY(check_axis_node(p, in, Beam::cone));
  const ScanGeometry& geometry = scan_of(in).geometry;
  if (geometry.orbit()->source_shift_u != 0)
    return invalid("this method needs a source that is not shifted along the rows", "projections",
                   "Set the source shift after the axis was found");
  // Views may be missing at the ends; the measurement itself checks more closely.
  constexpr double clearly_less = 0.95 * 2 * pi;
  if (geometry.angular_range() < clearly_less)
    return invalid("the views cover " +
                       format_quantity(std::round(from_stored(geometry.angular_range(), Unit::deg)), Unit::deg) +
                       ", but opposite rays of a cone beam need a full turn",
                   "projections", "Give the axis in the geometry node");
  return ok();
}

AxisNodeParams rows_at_source_height(AxisNodeParams p, const ScanGeometry& geometry) {
  const View& v = geometry.view(0);
  const DetectorShape& d = geometry.detector();
  const double height = 0.5 * static_cast<double>(d.rows - 1) - (v.beam.z - v.detector.z) / d.pitch_v;
  if (!p.row) p.row = std::clamp<int64_t>(std::llround(height), 0, d.rows - 1);
  return p;
}

double fan_per_column(const ScanGeometry& geometry) {
  const auto orbit = geometry.orbit();
  TL_CHECK(orbit.has_value(), "check() lets circular scans pass only");
  return geometry.detector().pitch_u / (orbit->source_to_axis + orbit->axis_to_detector);
}

Result<Infos> axis_infos(const Infos& in, const Findings* found) {
  ProjectionsInfo scan = scan_of(in);
  if (found == nullptr) {
    scan.pending = true;
  } else {
    TL_TRY(scan.geometry, found_geometry(scan.geometry, *found));
  }
  return Infos{{"projections", scan}};
}

void keep_axis(AxisNodeParams& p, const Infos& in, const Findings& found) {
  const auto& axis = std::get<Scalar>(found.values.at("axis"));
  if (axis.verdict == Verdict::flat) {
    const auto orbit = scan_of(in).geometry.orbit();
    if (orbit) p.given_axis = orbit->axis;
    return;
  }
  p.given_axis = axis.value.item<double>();
  p.given_tilt = used_tilt(found);
}

Result<Regions> axis_needs(const AxisNodeParams& p, const Infos& in) {
  if (p.given_axis) return Regions{};
  ScanRegion region = scan_of(in).geometry.full();
  const std::vector<Range> groups = row_groups(p, region.rows.size());
  region.rows = {groups.front().begin, groups.back().end};
  return Regions{{"projections", region}};
}

ops::AxisSearch axis_search(const AxisNodeParams& p, const NodeRun& r) {
  ops::AxisSearch s{.centre = p.centre, .reach = p.reach.value_or(0), .cancel = r.cancel()};
  return s;
}

std::vector<double> gantry_angles(const NodeRun& r) {
  const auto orbit = r.in<Projections>("projections").geometry.orbit();
  TL_CHECK(orbit.has_value(), "check() lets circular scans pass only");
  return orbit->angles;
}

Findings axis_findings(const ops::AxisResult& result, NodeRun& r) {
  report_axis("Axis " + found_words(result.axis, result.uncertainty, Unit::px, to_verdict(result.verdict)) + ". " +
                  result.explanation,
              result.verdict, r);
  Findings f;
  f.values["axis"] = scalar(result.axis, Unit::px, result.uncertainty, to_verdict(result.verdict));
  f.values["curve"] = curve_of(result);
  return f;
}

namespace {

// One measurement at several heights.
struct Look {
  std::vector<ops::AxisAtHeight> points;
  ops::AxisResult middle;
  ops::AxisLine line;
};

// data: [view, row, col] from the first row of the first group to the last row of the last group.
Look look_at(const at::Tensor& data, const std::vector<Range>& groups, int64_t detector_rows, const AxisFinder& find) {
  Look look;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Range& rows = groups[i];
    const ops::AxisResult found = find(data.narrow(1, rows.begin - groups.front().begin, rows.size()));
    const double middle = 0.5 * static_cast<double>(rows.begin + rows.end - 1);
    look.points.push_back(
        {0.5 * static_cast<double>(detector_rows - 1) - middle, found.axis, found.uncertainty, found.verdict});
    if (i == groups.size() / 2) look.middle = found;
  }
  look.line = ops::fit_axis_line(look.points);
  return look;
}

// Checks for a lean along the beam in the middle rows of upright views, in as many as can be compared quickly.
void check_lean(const at::Tensor& upright, const std::vector<double>& angles, ops::AxisLine& line) {
  constexpr int64_t fewest = 16, most = 64, max_samples = int64_t{1} << 24;
  const int64_t all = upright.size(1);
  const int64_t count = std::min(std::clamp(max_samples / (upright.size(0) * upright.size(2)), fewest, most), all);
  const ops::AxisLean found = ops::axis_lean({upright.narrow(1, (all - count) / 2, count), angles, line.axis, 1});
  if (!found.leans()) return;
  line.verdict = ops::AxisVerdict::ambiguous;
  const auto degrees = [](double angle) { return ops::two_decimals(from_stored(angle, Unit::deg)); };
  line.explanation += " Not resolved: the axis leans along the beam, by " + degrees(std::abs(found.lean)) + " ± " +
                      degrees(found.lean_sigma) + " degrees; no axis and tilt across the beam describe the scan.";
}

// A tilted axis also lifts one side of a view relative to the opposite one, so that part of the tilt is not visible for
// an object that changes along the height (for a ball, none is visible). The views are rotated by the tilt found and
// measured again until no tilt is left; the measured tilts follow a geometric series, which is summed.
Findings measure_line(const at::Tensor& data, const std::vector<Range>& groups, const DetectorShape& d, NodeRun& r,
                      const AxisFinder& find) {
  constexpr int max_rounds = 5;
  constexpr double largest_share = 0.9;  // invisible share of the tilt: above it the tilt cannot be determined
  // A column per row is tan(tilt) times the shape of a pixel.
  const double shape = d.pitch_u / d.pitch_v;
  Look look = look_at(data, groups, d.rows, find);
  at::Tensor upright = data;
  double tilt = 0, hidden = 0, last = 0;
  for (int round = 0; round < max_rounds && look.line.verdict == ops::AxisVerdict::resolved; ++round) {
    const double step = std::atan(look.line.slope * shape);
    tilt += step;
    if (std::abs(step) <= look.line.slope_sigma * shape) break;
    if (round == 1 && step / last > 0 && step / last < largest_share) {
      hidden = step / last;
      tilt += step * hidden / (1 - hidden);
    }
    last = step;
    const ops::RotationSpec rotation{tilt, d.pitch_u, d.pitch_v, r.cancel()};
    upright = ops::rotate_views(data, rotation).or_throw();
    look = look_at(upright, groups, d.rows, find);
  }
  if (look.line.verdict == ops::AxisVerdict::resolved) check_lean(upright, gantry_angles(r), look.line);
  const ops::AxisLine& line = look.line;
  const Verdict verdict = to_verdict(line.verdict);
  report_axis("Axis " + found_words(line.axis, line.axis_sigma, Unit::px, verdict) + "; tilt " +
                  found_words(tilt, line.slope_sigma * shape / (1 - hidden), Unit::rad, verdict) + ". " +
                  line.explanation + " At the middle height: " + look.middle.explanation,
              line.verdict, r);
  for (ops::AxisAtHeight& point : look.points) point.axis += std::tan(tilt) / shape * point.height;
  Findings f;
  f.values["curve"] = curve_of(look.middle);
  f.values["axis"] = scalar(line.axis, Unit::px, line.axis_sigma, to_verdict(line.verdict));
  f.values["tilt"] = scalar(tilt, Unit::rad, line.slope_sigma * shape / (1 - hidden), to_verdict(line.verdict));
  f.values["heights"] = heights_of(look.points, line.used);
  return f;
}

// No candidates were compared.
Findings given_findings(const AxisNodeParams& p) {
  Findings f;
  f.values["axis"] = scalar(*p.given_axis, Unit::px, 0, Verdict::resolved);
  f.values["tilt"] = scalar(p.given_tilt, Unit::rad, 0, Verdict::resolved);
  f.values["curve"] = curve_of({});
  f.values["heights"] = heights_of({}, {});
  return f;
}

}  // namespace

Findings measure_axis(const AxisNodeParams& p, NodeRun& r, const AxisFinder& find) {
  if (p.given_axis) return given_findings(p);
  const DetectorShape& d = r.info<ProjectionsInfo>("projections").geometry.detector();
  // Stripes would draw every method to an axis of their own.
  const auto& scan = r.in<Projections>("projections");
  const double fan = scan.geometry.is_parallel() ? 0 : fan_per_column(scan.geometry);
  const at::Tensor data = ops::rows_without_rings(unshifted_rows(scan), {gantry_angles(r), fan}, r.cancel());
  const std::vector<Range> groups = row_groups(p, d.rows);
  TL_CHECK(data.size(1) == groups.back().end - groups.front().begin, "the rows that were asked for");
  if (p.heights > 1) return measure_line(data, groups, d, r, find);
  const ops::AxisResult found = find(data);
  Findings f = axis_findings(found, r);
  const double middle = 0.5 * static_cast<double>(groups.front().begin + groups.front().end - 1);
  const double height = 0.5 * static_cast<double>(d.rows - 1) - middle;
  f.values["tilt"] = scalar(0, Unit::rad, 0, Verdict::none);
  f.values["heights"] = heights_of({{height, found.axis, found.uncertainty, found.verdict}},
                                   {found.verdict == ops::AxisVerdict::resolved});
  return f;
}

Result<void> run_axis_node(NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  if (out.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Remove this node while learning");
  TL_TRY(ScanGeometry whole, found_geometry(r.info<ProjectionsInfo>("projections").geometry, *r.findings));
  out.geometry = whole.crop(std::get<ScanRegion>(r.region));
  return r.done("projections", std::move(out));
}

}  // namespace tl
