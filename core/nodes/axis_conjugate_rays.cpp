// core/nodes/axis_conjugate_rays.cpp: rotation axis of a cone-beam scan from opposite rays.
#include "gpu/ops/axis_conjugate_rays.h"

#include <algorithm>
#include <cmath>

#include "core/nodes/axis_node.h"

namespace tl {
namespace axis_conjugate_rays_node {

struct Params : AxisNodeParams {};

const ScanGeometry& geometry_of(const Infos& in) { return scan_of(in).geometry; }

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(check_axis_node(p, in, Beam::cone));
  const ScanGeometry& geometry = geometry_of(in);
  const auto orbit = geometry.orbit();
  if (orbit->source_shift_u != 0)
    return invalid("this method needs a source on the axis' normal", "projections",
                   "Set the source's offset after the axis was found");
  // Uneven steps make the range uncertain; the measurement itself looks closer.
  constexpr double clearly_less = 0.95 * 2 * pi;
  if (geometry.angular_range() < clearly_less)
    return invalid("the views cover " +
                       format_quantity(std::round(from_stored(geometry.angular_range(), Unit::deg)), Unit::deg) +
                       ", but opposite rays of a cone beam need a full turn",
                   "projections", "Give the axis in the geometry node");
  return ok();
}

// Rows at the height of the source, unless others are asked for.
AxisNodeParams with_row(AxisNodeParams p, const ScanGeometry& geometry) {
  const View& v = geometry.view(0);
  const DetectorShape& d = geometry.detector();
  const double height = 0.5 * static_cast<double>(d.rows - 1) - (v.beam.z - v.detector.z) / d.pitch_v;
  if (!p.row) p.row = std::clamp<int64_t>(std::llround(height), 0, d.rows - 1);
  return p;
}
Result<Regions> measured_rows(const Params& p, const Infos& in) { return axis_needs(with_row(p, geometry_of(in)), in); }

Result<Infos> infos(const Params&, const Infos& in, const Findings* found) { return axis_infos(in, found); }
Result<void> run(const Params&, NodeRun& r) { return run_axis_node(r); }

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& scan = r.in<Projections>("projections");
  const auto orbit = scan.geometry.orbit();
  ops::ConjugateRaysParams c;
  c.search = axis_search(p, r);
  c.fan_per_column = scan.geometry.detector().pitch_u / (orbit->source_to_axis + orbit->axis_to_detector);
  return measure_axis(with_row(p, r.info<ProjectionsInfo>("projections").geometry), r,
                      [&](const at::Tensor& rows) { return ops::axis_conjugate_rays(rows, gantry_angles(r), c); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.conjugate_rays", 1).title("Axis by opposite rays");
  n.summary("Finds the rotation axis of a full turn in a cone beam: opposite rays must see the same.");
  n.description(
      "At the height of the source every ray is measured a second time from the other side, by another column in "
      "another view; which one depends on the axis and on the distances. The score is the difference of such pairs: 0 "
      "is consistent, 1 unrelated. It holds for every object, also one that leaves the field or hardens the beam. The "
      "uncertainty comes from the scatter of blocks of views and of the rows. The distances from source to axis and "
      "from axis to detector must be right; a full turn is needed.");
  n.cite("J. Hsieh, Computed Tomography, SPIE Press 2009, section 3.4.2");
  n.synonyms({"centre of rotation", "COR", "find center", "alignment", "cone beam", "fan beam", "conjugate rays"});
  describe_axis_ports(n, "squared difference of opposite rays, relative", Beam::cone);
  describe_axis_search(n);
  describe_axis_rows(n);
  n.check(check).infos(infos).measure(measured_rows, measure).run(run);
}

}  // namespace axis_conjugate_rays_node

TL_NODE(axis_conjugate_rays)

}  // namespace tl
