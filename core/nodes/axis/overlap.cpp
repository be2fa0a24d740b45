// core/nodes/axis/overlap.cpp: rotation axis of a full turn with the axis near the edge of the detector.
#include "gpu/axis/overlap.h"

#include "core/base/angle_order.h"
#include "core/nodes/axis/axis_node.h"

namespace tl::axis_overlap_node {

struct Params : AxisNodeParams {
  ops::OverlapSide side = ops::OverlapSide::either;
  std::optional<int64_t> least_overlap;
};

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(check_axis_node(p, in));
  const ScanGeometry& scan = scan_of(in).geometry;
  if (!angle_order(beam_angles(scan)).closed)
    return invalid("the overlap of opposite views needs a full turn", "projections",
                   "Use another method for half a turn");
  return ok();
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::OverlapParams o{.side = p.side, .least_overlap = p.least_overlap.value_or(0), .cancel = r.cancel()};
  return measure_axis(p, r, [&](const at::Tensor& rows) {
    const ops::OverlapResult found = ops::axis_overlap(rows, gantry_angles(r), o);
    const ops::AxisResult& common = found;
    return common;
  });
}

void describe(NodeBuilder<Params>& n) {
  n.id("axis.overlap", 1).title("Axis by overlap of a full turn");
  n.remedy("axis");
  n.summary(
      "Finds the rotation axis of a half-acquisition scan: a full turn with the axis near the edge of the detector.");
  n.description(
      "Opposite views are mirror images about the axis; with the axis near the edge of the detector they share only a "
      "strip of columns. Every strip is scored by the correlation of all opposite views, so its side and width need "
      "not be known. Full turns with the axis in the middle work too. The uncertainty comes from interleaved subsets "
      "of the views.");
  n.cite(
      "N. T. Vo et al., Data processing methods and data acquisition for samples larger than the field of view in "
      "parallel-beam tomography, Opt. Express 29, 17849 (2021)");
  n.synonyms({"centre of rotation", "COR", "half acquisition", "360", "extended field of view", "offset", "find center",
              "center of rotation"});
  describe_axis_ports(n, "1 minus the correlation of opposite views");
  n.param("side", "Side", &Params::side,
          {{ops::OverlapSide::either, "either", "Either"},
           {ops::OverlapSide::left, "left", "Left"},
           {ops::OverlapSide::right, "right", "Right"}})
      .help("Half of the detector on which the axis lies: left is the side of column 0.");
  n.advanced_param("least_overlap", "Least overlap", &Params::least_overlap)
      .range(4, 1e5, Unit::px)
      .automatic("a twentieth of the width, at least 10 columns")
      .help("Overlaps of fewer columns are not tried.");
  describe_axis_rows(n);
  describe_given_axis(n);
  declare_finder(n, measure);
  n.check(check);
}

}  // namespace tl::axis_overlap_node

TL_NODE(axis_overlap)
