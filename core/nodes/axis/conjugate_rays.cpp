// core/nodes/axis/conjugate_rays.cpp: rotation axis of a cone-beam scan from opposite rays.
#include "gpu/axis/conjugate_rays.h"

#include "core/nodes/axis/axis_node.h"

namespace tl::axis_conjugate_rays_node {

struct Params : AxisNodeParams {};

const ScanGeometry& geometry_of(const Infos& in) { return scan_of(in).geometry; }

Result<void> check(const Params& p, const Infos& in) { return check_opposite_rays(p, in); }
Result<Regions> measured_rows(const Params& p, const Infos& in) {
  return axis_needs(rows_at_source_height(p, geometry_of(in)), in);
}

Result<Infos> infos(const Params&, const Infos& in, const Findings* found) { return axis_infos(in, found); }
Result<void> run(const Params&, NodeRun& r) { return run_axis_node(r); }

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::ConjugateRaysParams c;
  c.search = axis_search(p, r);
  c.fan_per_column = fan_per_column(r.info<ProjectionsInfo>("projections").geometry);
  return measure_axis(rows_at_source_height(p, r.info<ProjectionsInfo>("projections").geometry), r,
                      [&](const at::Tensor& rows) { return ops::axis_conjugate_rays(rows, gantry_angles(r), c); });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.conjugate_rays", 1).title("Axis by opposite rays");
  n.remedy("axis");
  n.summary(
      "Finds the rotation axis (centre of rotation) of a full-turn cone-beam scan from opposite (conjugate) rays.");
  n.description(
      "At the height of the source every ray is measured a second time from the other side, by another column in "
      "another view; which one depends on the axis and on the distances. The score is the difference of such pairs: 0 "
      "is consistent, 1 unrelated. The method is valid for every object, also one wider than the field of view or with "
      "beam hardening. The uncertainty comes from the scatter of blocks of views and of the rows. The distances from "
      "source to axis and from axis to detector must be right; a full turn is needed.");
  n.cite("J. Hsieh, Computed Tomography, SPIE Press 2009, section 3.4.2");
  n.synonyms({"centre of rotation", "COR", "find center", "alignment", "cone beam", "fan beam", "conjugate rays",
              "center of rotation"});
  describe_axis_ports(n, "squared difference of opposite rays, relative", Beam::cone);
  describe_axis_search(n);
  describe_axis_rows(n);
  describe_given_axis(n);
  n.check(check).infos(infos).measure(measured_rows, measure).run(run);
}

}  // namespace tl::axis_conjugate_rays_node

TL_NODE(axis_conjugate_rays)
