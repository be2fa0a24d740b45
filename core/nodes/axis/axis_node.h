// Shared by the nodes that find the rotation axis: ports, search range, rows, verdict, evidence.
#pragma once

#include <functional>

#include "core/node/node_builder.h"
#include "gpu/axis/axis_result.h"

namespace tl {

struct AxisNodeParams {
  double centre = 0;            // middle of the search range [px]
  std::optional<double> reach;  // half its length [px]; nothing = a quarter of the width
  std::optional<int64_t> row;   // middle row of the used rows; nullopt = middle row of the detector
  int64_t rows = 5;
  int64_t heights = 1;
  std::optional<double> given_axis = {};  // [px]; then nothing is measured
  double given_tilt = 0;                  // [rad], with given_axis
};

// Requires absorption, such a beam, an upright axis, and a search range on the detector.
Result<void> check_axis_node(const AxisNodeParams& p, const Infos& in, Beam beam = Beam::parallel);
// Requires a full turn of a cone beam whose source lies on the normal through the axis.
Result<void> check_opposite_rays(const AxisNodeParams& p, const Infos& in);
// Rows at the height of the source, unless the parameters give a row.
AxisNodeParams rows_at_source_height(AxisNodeParams p, const ScanGeometry& geometry);
// Fan angle of one column near the axis of a cone beam [rad].
double fan_per_column(const ScanGeometry& geometry);
// The scan with the axis that was found; pending until then.
Result<Infos> axis_infos(const Infos& in, const Findings* found);
// The few complete rows that the finders use; with several heights, all rows from the first to the last of them.
Result<Regions> axis_needs(const AxisNodeParams& p, const Infos& in);
// Sets the found axis as the given axis, as run_axis_node() uses it: if the data determine none, the axis of the
// scan.
void keep_axis(AxisNodeParams& p, const Infos& in, const Findings& found);
// Finds the axis in some rows [view, row, col].
using AxisFinder = std::function<ops::AxisResult(const at::Tensor& rows)>;
// Outputs "axis", "tilt", "curve" and "heights", and messages about their reliability: from one group of rows, or from
// a line through several heights. A given axis needs no rows: `find` is not called.
Findings measure_axis(const AxisNodeParams& p, NodeRun& r, const AxisFinder& find);
// Outputs "axis" and "curve" of one result, and a message about its reliability.
Findings axis_findings(const ops::AxisResult& result, NodeRun& r);
ops::AxisSearch axis_search(const AxisNodeParams& p, const NodeRun& r);
std::vector<double> gantry_angles(const NodeRun& r);
// Hands the pixels on with the new axis.
Result<void> run_axis_node(NodeRun& r);

// P derives from AxisNodeParams (hence the explicit types: &P::centre belongs to the base).
template <class P>
void describe_axis_ports(NodeBuilder<P>& n, const std::string& score, Beam beam = Beam::parallel) {
  n.where_input_is();
  n.category("Alignment").partition(Partition::pointwise);
  n.template input<Projections>("projections", std::string("Absorption in a ") +
                                                   (beam == Beam::parallel ? "parallel" : "cone") +
                                                   " beam: after flat-field and logarithm.");
  n.template output<Projections>("projections", "The same pixels, with the axis found in the geometry.");
  n.template output<Scalar>("axis", "Rotation axis, pixels from the detector centre towards larger columns.");
  n.template output<Scalar>("tilt",
                            "Tilt of the axis in the plane of the detector; 0 unless several heights are used.");
  n.template output<Table>("curve", "Evidence: candidates and their scores (" + score + ").");
  n.template output<Table>("heights", "Axis at each height above the detector centre, and whether the line uses it.");
}

template <class P>
void describe_axis_rows(NodeBuilder<P>& n) {
  n.advanced_param("row", "Row", &P::row)
      .at_least(0)
      .automatic("the middle of the detector")
      .help("Middle one of the detector rows that are used.");
  n.advanced_param("rows", "Number of rows", &P::rows)
      .range(1, 999)
      .help("Neighbouring detector rows whose results are combined by their median.");
}

template <class P>
void describe_axis_heights(NodeBuilder<P>& n) {
  n.advanced_param("heights", "Heights", &P::heights)
      .range(1, 999)
      .help(
          "Number of groups of rows, spread over the detector; a straight line through their axes gives axis and tilt. "
          "More than 1 needs the scan in memory.");
}

template <class P>
void describe_given_axis(NodeBuilder<P>& n) {
  n.advanced_param("given_axis", "Given axis", &P::given_axis)
      .range(-1e6, 1e6, Unit::px)
      .automatic("measured")
      .help(
          "A known axis, in pixels from the detector centre: no search is made. The table of windows of a live scan "
          "contains it.");
  n.advanced_param("given_tilt", "Given tilt", &P::given_tilt)
      .range(-45, 45, Unit::deg)
      .help("Tilt of a given axis in the plane of the detector.");
  n.keep_found([](P& p, const Infos& in, const Findings& found) { keep_axis(p, in, found); });
}

template <class P>
void describe_axis_search(NodeBuilder<P>& n) {
  n.param("centre", "Expected near", &P::centre)
      .range(-1e5, 1e5, Unit::px)
      .help("Middle of the search range, in pixels from the detector centre.");
  n.param("reach", "Search range", &P::reach)
      .range(1, 1e5, Unit::px)
      .automatic("a quarter of the width")
      .help(
          "Largest distance of the axis from the middle of the detector in the search; an optimum at the end of the "
          "range is reported as railed.");
}

template <class P>
void describe_axis_node(NodeBuilder<P>& n, const std::string& score) {
  describe_axis_ports(n, score);
  describe_axis_search(n);
  describe_axis_rows(n);
  describe_axis_heights(n);
  describe_given_axis(n);
}

// Sets the functions of a node that finds the axis by `measure` in rows of absorption.
template <class P>
void declare_finder(NodeBuilder<P>& n, Result<Findings> (*measure)(const P&, NodeRun&)) {
  n.check([](const P& p, const Infos& in) { return check_axis_node(p, in); })
      .infos([](const P&, const Infos& in, const Findings* found) { return axis_infos(in, found); })
      .measure([](const P& p, const Infos& in) { return axis_needs(p, in); }, measure)
      .run([](const P&, NodeRun& r) { return run_axis_node(r); });
}

}  // namespace tl
