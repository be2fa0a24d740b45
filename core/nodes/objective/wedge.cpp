// core/nodes/objective/wedge.cpp: objective: Fourier-wedge consistency of a half turn with its mirror image.
#include "gpu/axis/wedge.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/nodes/nominal_orbit.h"
#include "core/nodes/objective/objective_node.h"
#include "gpu/projection/oblique_rows.h"

namespace tl::objective_wedge_node {

enum class Rows { together, spread };

struct Params {
  Rows where = Rows::together;
  std::optional<int64_t> row;
  int64_t rows = 5;
  double radius = 1;
};

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind != PixelKind::absorption && scan.kind != PixelKind::thickness)
    return invalid("this objective needs absorption, this is " + std::string(to_string(scan.kind)), "projections",
                   "Put the flat-field node before this one");
  const auto orbit = scan.geometry.orbit();
  if (!orbit || orbit->beam != Beam::parallel)
    return invalid("this objective needs a parallel beam and a circular scan", "projections",
                   "For a full turn of a cone beam use objective.variance");
  if (orbit->lamino != 0 || !orbit->shift_u.empty() || !orbit->shift_v.empty())
    return invalid("this objective needs an axis across the beam and views without shifts", "projections",
                   "Use the moments of the views, or the reprojection error");
  TL_TRY(require_nominal(*orbit, "this objective", "Use the reprojection error"));
  if (orbit->tilt != 0 && p.where == Rows::together)
    return invalid("neighbouring rows cannot determine a tilt", "where", "Spread the rows over the detector");
  const AngleOrder order = angle_order(scan.geometry);
  if (order.covered + 1.5 * order.step < pi)
    return invalid("the views cover less than half a turn", "projections", "Use an objective of the reconstruction");
  if (p.row && *p.row >= scan.geometry.detector().rows)
    return invalid("the detector has " + std::to_string(scan.geometry.detector().rows) + " rows", "row",
                   "Rows count from 0");
  return ok();
}

Result<Regions> needs(const Params& p, const Infos& in, const Region&) {
  ScanRegion region = scan_of(in).geometry.full();
  if (p.where == Rows::spread) return Regions{{"projections", region}};
  const int64_t all = region.rows.size(), count = std::min(p.rows, all);
  const int64_t first = std::clamp<int64_t>(p.row.value_or(all / 2) - count / 2, 0, all - count);
  region.rows = {first, first + count};
  return Regions{{"projections", region}};
}

// Heights all over the detector, but for a tenth at each end: a tilt moves lines up and down [px above the middle].
std::vector<double> spread_heights(const Params& p, const DetectorShape& d) {
  const int64_t count = std::min(p.rows, d.rows);
  std::vector<double> heights;
  for (int64_t n = 0; n < count; ++n)
    heights.push_back(0.8 * static_cast<double>(d.rows) *
                      ((static_cast<double>(n) + 0.5) / static_cast<double>(count) - 0.5));
  return heights;
}

// Heights with contrast: judged by the detector rows there, whose noise is white.
std::vector<bool> seen_at(const std::vector<double>& heights, const Projections& scan,
                          const std::vector<double>& angles) {
  const int64_t rows = scan.geometry.detector().rows;
  std::vector<int64_t> next;
  for (const double h : heights)
    next.push_back(std::clamp<int64_t>(std::llround(0.5 * static_cast<double>(rows - 1) - h), 0, rows - 1));
  return ops::rows_with_contrast(scan.data.detach().index_select(1, at::tensor(next, at::kLong)), angles);
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto orbit = in.geometry.orbit();
  TL_CHECK(orbit.has_value(), "check() lets circular scans pass only");
  if (p.where == Rows::together)
    return put_loss(r, ops::wedge_consistency(in.data, orbit->angles, rotation_axis_of(in), p.radius));
  const std::vector<double> heights = spread_heights(p, in.geometry.detector());
  const at::Tensor lines =
      ops::sample_lines(in.data, ops::horizontal_lines(view_vectors_of(in), in.geometry.detector(), heights));
  return put_loss(r, ops::wedge_consistency(lines, orbit->angles, rotation_axis_of(in), p.radius,
                                            seen_at(heights, in, orbit->angles)));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.wedge", 1).title("Wedge consistency").partition(Partition::whole);
  n.summary("Scores the rotation axis of a half turn of a parallel beam by Fourier-wedge consistency.");
  n.description(
      "The half turn and its mirror image about the right axis are the sinogram of one object, whose Fourier transform "
      "vanishes outside a wedge. The loss is the energy found there: 0 is consistent, 1 unrelated. It is smooth and "
      "has one minimum within tens of pixels, thousandths of a pixel from the axis. A full turn counts as two half "
      "turns. The circle given by the radius must enclose the object. With rows all over the detector the views are "
      "sampled along lines across the learned axis, so that axis and tilt can be found together.");
  n.cite("Natterer, The Mathematics of Computerized Tomography, Wiley (1986), chapter III");
  n.synonyms({"objective", "loss", "rotation axis", "centre of rotation", "Fourier wedge", "bow tie", "consistency",
              "center of rotation"});
  n.input<Projections>("projections", "Absorption in a parallel beam, half a turn or a full one.");
  describe_loss(n, "Energy outside the wedge, relative; smaller is better.");
  n.param("where", "Rows", &Params::where,
          {{Rows::together, "together", "Neighbouring rows"}, {Rows::spread, "spread", "All over the detector"}})
      .help(
          "Neighbouring rows are fast and give the axis; rows all over the detector give its tilt too, but need the "
          "scan in memory.");
  n.advanced_param("row", "Row", &Params::row)
      .at_least(0)
      .automatic("the middle of the detector")
      .help("Middle one of the detector rows that are used.");
  n.advanced_param("rows", "Number of rows", &Params::rows)
      .range(1, 999)
      .help("Number of detector rows that are used.");
  n.advanced_param("radius", "Object radius", &Params::radius)
      .range(0.05, 4)
      .help("Circle about the axis that encloses the object, as a share of half the detector width.");
  n.check(check).needs(needs).run(run);
}

}  // namespace tl::objective_wedge_node

TL_NODE(objective_wedge)
