// core/nodes/correct/stitch_half_turn.cpp: a full turn whose axis lies off the middle, stitched to a half turn of a
// wider detector.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/nodes/axis/axis_node.h"
#include "core/nodes/nominal_orbit.h"
#include "core/values/crop.h"
#include "gpu/stitching/stitching.h"

namespace tl::correct_stitch_half_turn_node {

struct Params {
  std::optional<double> axis;
  double centre = 0;
  std::optional<double> reach;
};

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind == PixelKind::counts)
    return invalid("counts cannot be stitched, since their flats are not", "projections",
                   "Put the flat-field node before this one");
  const auto orbit = scan.geometry.orbit();
  if (!orbit || orbit->beam != Beam::parallel)
    return invalid("opposite views measure the same rays only in a parallel beam and a circular scan", "projections");
  if (orbit->tilt != 0 || orbit->lamino != 0 || !orbit->shift_u.empty() || !orbit->shift_v.empty())
    return invalid("this needs an axis without tilt and views without shifts", "projections",
                   "Straighten the views first");
  TL_TRY(require_nominal(*orbit, "stitching", "Set them after this node"));
  TL_TRY(ops::HalfTurnPlan plan, ops::plan_half_turn(orbit->angles, scan.geometry.detector().cols, p.axis.value_or(0)));
  return plan.views.empty() ? Result<void>(invalid("there is no half turn", "projections")) : ok();
}

double axis_of(const Params& p, const Findings* found) {
  if (found == nullptr) return p.axis.value_or(0);
  return std::get<Scalar>(found->values.at("axis")).value.item<double>();
}

struct Joined {
  ops::HalfTurnPlan plan;
  ScanGeometry geometry;
};

Result<Joined> joined(const ScanGeometry& geometry, double axis) {
  auto orbit = geometry.orbit();
  if (!orbit)
    return invalid("opposite views are joined on circular orbits only: this scan has another one", "projections",
                   "Remove this node");
  DetectorShape detector = geometry.detector();
  Joined j;
  TL_TRY(j.plan, ops::plan_half_turn(orbit->angles, detector.cols, axis));
  std::vector<double> angles;
  angles.reserve(j.plan.views.size());
  for (const int64_t v : j.plan.views) angles.push_back(orbit->angles[static_cast<std::size_t>(v)]);
  orbit->angles = std::move(angles);
  orbit->axis = j.plan.axis;
  detector.cols = j.plan.cols;
  TL_TRY(j.geometry, ScanGeometry::from_orbit(*orbit, detector));
  return j;
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings* found) {
  ProjectionsInfo scan = scan_of(in);
  scan.pending = found == nullptr;
  TL_TRY(Joined j, joined(scan.geometry, axis_of(p, found)));
  scan.geometry = j.geometry;
  scan.flats = scan.darks = 0;
  return Infos{{"projections", scan}, {"axis", PlainInfo{}}, {"curve", PlainInfo{}}};
}

// A few rows about the middle are enough for the overlap.
Result<Regions> measured(const Params&, const Infos& in) {
  constexpr int64_t few = 5;
  ScanRegion region = scan_of(in).geometry.full();
  const int64_t all = region.rows.size(), count = std::min(few, all), first = (all - count) / 2;
  region.rows = {first, first + count};
  return Regions{{"projections", region}};
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  ops::AxisResult result;
  if (p.axis) {
    result.axis = *p.axis;
    result.verdict = ops::AxisVerdict::resolved;
    result.explanation = "The axis was given.";
  } else {
    const AxisNodeParams search{p.centre, p.reach, {}, 0};
    result = ops::find_half_turn_overlap(in.data, gantry_angles(r), axis_search(search, r));
    if (result.verdict == ops::AxisVerdict::flat)
      return invalid("no overlap of opposite views was found: " + result.explanation, "axis", "Give the axis");
  }
  return axis_findings(result, r);
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  const ScanRegion all = scan_of(in).geometry.full();
  return Regions{{"projections", ScanRegion{all.views, std::get<ScanRegion>(wanted).rows, all.cols}}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  const ScanRegion all = scan_of(in).geometry.full();
  return 4 * all.views.size() * std::get<ScanRegion>(wanted).rows.size() * all.cols.size() * element_size;
}

Result<void> run(const Params&, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& w = std::get<ScanRegion>(r.region);
  if (in.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Learn it after this node");
  const double axis = axis_of({}, r.findings);
  TL_TRY(Joined j, joined(r.info<ProjectionsInfo>("projections").geometry, axis));
  TL_TRY(at::Tensor data, ops::stitch_half_turn(in.data, j.plan, axis));
  Projections out;
  out.data = data.narrow(0, w.views.begin, w.views.size()).narrow(2, w.cols.begin, w.cols.size()).contiguous();
  out.geometry = j.geometry.crop(w);
  out.kind = in.kind;
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stitch_half_turn", 1).title("360 to 180 degrees").category("Correction").partition(Partition::custom);
  n.remedy("axis");
  n.summary(
      "Stitches a half-acquisition scan: 360 degrees with an off-centre axis become 180 degrees of a wider detector.");
  n.description(
      "With the rotation axis near the edge of the detector, a full turn covers an object of almost twice the width. "
      "Each view is extended by the mirror image of the opposite one; the columns that both cover are blended. Without "
      "a given axis the overlap is searched, with a verdict. The axis of the result lies within half a pixel of its "
      "middle.");
  n.cite(
      "N. T. Vo et al., Data processing methods and data acquisition for samples larger than the field of view in "
      "parallel-beam tomography, Opt. Express 29, 17849 (2021)");
  n.example({{"axis", "2.3"}});
  n.synonyms({"half acquisition", "off-axis", "overlap", "sinogram stitching", "extended field of view", "360 degrees",
              "offset scan"});
  n.input<Projections>("projections", "Absorption or transmission of a full turn in a parallel beam.");
  n.output<Projections>("projections", "The half turn.");
  n.output<Scalar>("axis", "Rotation axis in the given scan, pixels from the detector centre, with verdict.");
  n.output<Table>("curve", "Evidence: candidates and their mismatch.");
  n.param("axis", "Axis", &Params::axis)
      .range(-1e6, 1e6, Unit::px)
      .automatic("searched")
      .help("Rotation axis in the given scan, pixels from the detector centre.");
  n.advanced_param("centre", "Expected near", &Params::centre)
      .range(-1e6, 1e6, Unit::px)
      .help("Middle of the search range.");
  n.advanced_param("reach", "Search range", &Params::reach)
      .range(1, 1e6, Unit::px)
      .automatic("the largest distance with an overlap")
      .help("Largest distance of the axis from the middle of the detector in the search.");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).workspace(workspace).measure(measured, measure).run(run);
  n.keep_found([](Params& p, const Infos&, const Findings& found) { p.axis = axis_of({}, &found); });
}

}  // namespace tl::correct_stitch_half_turn_node

TL_NODE(correct_stitch_half_turn)
