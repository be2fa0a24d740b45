// core/nodes/axis/automatic.cpp: rotation axis by the method that suits the data, with a vote.
#include "gpu/axis/automatic.h"

#include <cmath>

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_automatic_node {

struct Params : AxisNodeParams {};

const ScanGeometry& geometry_of(const Infos& in) { return scan_of(in).geometry; }
bool is_cone(const ScanGeometry& geometry) { return !geometry.is_parallel(); }

Result<void> check(const Params& p, const Infos& in) {
  const ScanGeometry& geometry = geometry_of(in);
  if (is_cone(geometry)) return check_opposite_rays(p, in);
  TL_TRY(check_axis_node(p, in));
  // Views may be missing at the ends; the measurement itself checks more closely.
  if (geometry.angular_range() < 0.94 * pi)
    return invalid("the views cover " +
                       format_quantity(std::round(from_stored(geometry.angular_range(), Unit::deg)), Unit::deg) +
                       ", but an axis needs half a turn",
                   "projections", "Use axis.moments, or give the axis in the geometry node");
  return ok();
}

AxisNodeParams rows_of(const Params& p, const ScanGeometry& geometry) {
  if (is_cone(geometry)) return rows_at_source_height(p, geometry);
  return p;
}
Result<Regions> measured_rows(const Params& p, const Infos& in) { return axis_needs(rows_of(p, geometry_of(in)), in); }
Result<Infos> infos(const Params&, const Infos& in, const Findings* found) { return axis_infos(in, found); }
Result<void> run(const Params&, NodeRun& r) { return run_axis_node(r); }

Result<Findings> measure(const Params& p, NodeRun& r) {
  const ScanGeometry& geometry = r.info<ProjectionsInfo>("projections").geometry;
  ops::AutomaticAxisParams a;
  a.search = axis_search(p, r);
  if (is_cone(geometry)) a.fan_per_column = fan_per_column(geometry);
  return measure_axis(rows_of(p, geometry), r,
                      [&](const at::Tensor& rows) { return ops::axis_automatic(rows, gantry_angles(r), a).found; });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.automatic", 1).title("Axis, method chosen");
  n.recommended_remedy("axis");
  n.summary(
      "Finds the rotation axis (centre of rotation) by the method that suits the scan, and says which methods agree.");
  n.description(
      "Compares each view with the mirror image of the opposite one on the columns that both cover. The method is "
      "valid for every object, also one wider than the field of view, and for half acquisition (the axis near the edge "
      "of the detector). A full turn has opposite views everywhere; half a turn has them only where its end meets its "
      "beginning, and there an error of the angular range is found together with the axis. If the rows end in air, the "
      "Fourier wedge and the centres of mass are compared too. The axis is resolved if the views agree clearly, at one "
      "position, about as well as noise and the angular step allow, and no method finds a different one; the "
      "uncertainty includes the differences between methods. Otherwise the message gives the reason: too few photons "
      "or views, wrong angles, motion. In a cone beam opposite rays of a full turn are compared.");
  n.cite(
      "N. T. Vo et al., Data processing methods and data acquisition for samples larger than the field of view in "
      "parallel-beam tomography, Opt. Express 29, 17849 (2021)");
  n.synonyms({"centre of rotation", "COR", "find center", "alignment", "truncated", "half acquisition", "interior",
              "local tomography", "region of interest", "vote", "find_center", "center of rotation"});
  describe_axis_ports(n, "1 minus the correlation of opposite views; for a cone beam the difference of opposite rays",
                      Beam::parallel);
  describe_axis_search(n);
  describe_axis_rows(n);
  describe_axis_heights(n);
  describe_given_axis(n);
  n.check(check).infos(infos).measure(measured_rows, measure).run(run);
}

}  // namespace tl::axis_automatic_node

TL_NODE(axis_automatic)
