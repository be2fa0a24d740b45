// Checks, regions and outputs shared by the nodes that find the rotation axis.
#include "core/nodes/axis_node.h"

#include <ATen/ATen.h>

#include <cmath>

namespace tl {
namespace {

const ProjectionsInfo& scan_of(const Infos& in) { return std::get<ProjectionsInfo>(in.at("projections")); }

Result<ScanGeometry> with_axis(const ScanGeometry& geometry, double axis) {
  auto orbit = geometry.orbit();
  if (!orbit) return invalid("the scan is not circular", "projections");
  orbit->axis = axis;
  return ScanGeometry::from_orbit(*orbit, geometry.detector());
}

// The axis to use from now on: that of the scan when nothing could be seen.
Result<ScanGeometry> found_geometry(const ScanGeometry& geometry, const Findings& found) {
  const auto& axis = std::get<Scalar>(found.values.at("axis"));
  if (axis.verdict == Verdict::flat) return geometry;
  return with_axis(geometry, axis.value.item<double>());
}

Verdict to_verdict(ops::AxisVerdict v) {
  switch (v) {
    case ops::AxisVerdict::resolved:
      return Verdict::resolved;
    case ops::AxisVerdict::railed:
      return Verdict::railed;
    case ops::AxisVerdict::ambiguous:
      return Verdict::ambiguous;
    case ops::AxisVerdict::flat:
      break;
  }
  return Verdict::flat;
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
  if (orbit->tilt != 0 || orbit->lamino != 0 || !orbit->shift_u.empty())
    return invalid("this method needs an upright axis and views that are not shifted", "projections",
                   "Set tilt and shifts after the axis was found");
  const DetectorShape& d = scan.geometry.detector();
  if (p.row && *p.row >= d.rows)
    return invalid("the detector has " + std::to_string(d.rows) + " rows", "row", "Rows count from 0");
  if (std::abs(p.centre) > 0.5 * static_cast<double>(d.cols))
    return invalid("the search range lies outside the detector", "centre",
                   "Positions are pixels from the detector centre");
  return ok();
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

Result<Regions> axis_needs(const AxisNodeParams& p, const Infos& in) {
  ScanRegion region = scan_of(in).geometry.full();
  const int64_t all = region.rows.size(), count = std::min(p.rows, all);
  const int64_t first = std::clamp<int64_t>(p.row.value_or(all / 2) - count / 2, 0, all - count);
  region.rows = {first, first + count};
  return Regions{{"projections", region}};
}

ops::AxisSearch axis_search(const AxisNodeParams& p, const NodeRun& r) {
  ops::AxisSearch s;
  s.centre = p.centre;
  s.reach = p.reach.value_or(0);
  s.cancel = r.cancel();
  return s;
}

std::vector<double> gantry_angles(const NodeRun& r) {
  const auto orbit = r.in<Projections>("projections").geometry.orbit();
  TL_CHECK(orbit.has_value(), "check() lets circular scans pass only");
  return orbit->angles;
}

Findings axis_findings(const ops::AxisResult& result, NodeRun& r) {
  const bool trusted = result.verdict == ops::AxisVerdict::resolved;
  r.message(trusted ? LogLevel::info : LogLevel::warning, result.explanation);
  Findings f;
  f.values["axis"] =
      Scalar{at::scalar_tensor(result.axis, at::kDouble), Unit::px, result.uncertainty, to_verdict(result.verdict)};
  f.values["curve"] = Table{{{"axis", Unit::px, result.curve_axis}, {"score", Unit::none, result.curve_score}}};
  return f;
}

Result<void> run_axis_node(NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  if (out.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Remove this node while learning");
  TL_TRY(ScanGeometry whole, found_geometry(r.info<ProjectionsInfo>("projections").geometry, *r.findings));
  out.geometry = whole.crop(std::get<ScanRegion>(r.region));
  r.out("projections", std::move(out));
  return ok();
}

}  // namespace tl
