// core/nodes/objective/variance.cpp: objective: variance of the plain back-projection of a full turn.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/nodes/filtered_views.h"
#include "core/nodes/nominal_orbit.h"
#include "core/nodes/objective/objective_node.h"
#include "gpu/operator/reduce.h"
#include "gpu/projection/back_projector/back_projector.h"

namespace tl::objective_variance_node {

struct Params : GridParams {
  std::optional<int64_t> slice;
  int64_t slices = 1;
};

const ScanGeometry& geometry_of(const Infos& in) { return scan_of(in).geometry; }

// The slices that are used, of the volume that the scan would give.
Result<VolumeGrid> looked_at(const Params& p, const ScanGeometry& geometry) {
  TL_TRY(const VolumeGrid grid, wanted_grid(geometry, p));
  const int64_t count = std::min(p.slices, grid.nz);
  const int64_t first = std::clamp<int64_t>(p.slice.value_or(grid.nz / 2) - count / 2, 0, grid.nz - count);
  return grid.slab({first, first + count});
}

// Whether no half of the turn has clearly more views than the opposite one, as the views of one and a half turns have.
bool is_even(const AngleOrder& order) {
  const double tolerance = std::max(0.05, 1.5 / static_cast<double>(order.angles.size()));  // of the views
  double along_x = 0, along_y = 0;
  for (const double angle : order.angles) {
    along_x += std::cos(angle);
    along_y += std::sin(angle);
  }
  return std::hypot(along_x, along_y) < tolerance * static_cast<double>(order.angles.size());
}

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  TL_TRY(require_line_integrals(scan));
  const ScanGeometry& geometry = scan.geometry;
  const auto orbit = geometry.orbit();
  if (!orbit) return invalid("this objective needs a circular scan", "projections");
  TL_TRY(require_nominal(*orbit, "this objective", "Use the reprojection error"));
  const AngleOrder order = angle_order(beam_angles(geometry));
  // Half a turn of a parallel beam gives the same variance for every axis (Parseval): only the grid's border makes a
  // slope, which leads nowhere.
  if (!order.closed || !is_even(order))
    return invalid("the views cover " +
                       format_quantity(std::round(10 * from_stored(order.covered, Unit::deg)) / 10, Unit::deg) +
                       (order.closed ? ", some angles more often than others" : "") +
                       ": only over full turns does this variance depend on the axis",
                   "projections",
                   geometry.is_parallel() ? "Use objective.wedge for half a turn of a parallel beam"
                                          : "Use the reprojection error or the sharpness of a reconstruction");
  TL_TRY(const VolumeGrid grid, wanted_grid(geometry, p));
  if (p.slice && *p.slice >= grid.nz)
    return invalid("the volume has " + std::to_string(grid.nz) + " slices", "slice", "Slices count from 0");
  return ok();
}

Result<Regions> needs(const Params& p, const Infos& in, const Region&) {
  TL_TRY(const VolumeGrid grid, looked_at(p, geometry_of(in)));
  return Regions{{"projections", needed_views(in, grid)}};
}

int64_t workspace(const Params& p, const Infos& in, const Region&, int64_t element_size) {
  const auto grid = looked_at(p, geometry_of(in));
  return grid.ok() ? 4 * grid.value().count() * element_size : 0;  // the slices, their slope, deviations
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  TL_TRY(const VolumeGrid grid, looked_at(p, r.info<ProjectionsInfo>("projections").geometry));
  TL_TRY(OperatorPtr back, make_back_projector({in.geometry, grid, DistanceWeight::none, r.cancel()}));
  const at::Tensor sum = tl::apply(back, in.data.contiguous(), in.vectors);
  // Per view, so that a part of the views has the same size of loss.
  const auto views = static_cast<double>(in.geometry.views());
  return put_loss(r, -differentiable_variance(sum) / (views * views));
}

void describe(NodeBuilder<Params>& n) {
  n.id("objective.variance", 1).title("Variance of the back-projection").partition(Partition::whole).on_gpu();
  n.summary("Scores the rotation axis of a full turn by the variance of the unfiltered back-projection.");
  n.description(
      "Back-projects the views without a filter and gives minus the variance of the result. Over a full turn it is "
      "smallest at the right axis, to a hundredth of a pixel, and noise hardly affects it. That holds on the whole "
      "square slice only, and only for full turns: half a turn of a parallel beam has the same variance about every "
      "axis, and a circular mask shifts the optimum. Far from the axis the gradient still has the right sign, but "
      "Newton's method does not work there. One slice, in the middle, is enough.");
  n.cite("R. Schoonhoven, On the optimization of imaging pipelines, PhD thesis, Leiden University (2024), chapter 3");
  n.synonyms(
      {"objective", "loss", "rotation axis", "centre of rotation", "sharpness", "autofocus", "center of rotation"});
  n.input<Projections>("projections", "Absorption over full turns, in any beam.");
  describe_loss(n, "Minus the variance of the mean over the views; smaller is better.");
  n.advanced_param("slice", "Slice", &Params::slice)
      .at_least(0)
      .automatic("the middle of the volume")
      .help("Middle one of the slices that are used.");
  n.param("slices", "Number of slices", &Params::slices)
      .range(1, 1 << 16)
      .help("Number of neighbouring slices that are used; a tilt needs more than one.");
  declare_grid(n, "the pixel size");
  n.check(check).needs(needs).workspace(workspace).run(run);
}

}  // namespace tl::objective_variance_node

TL_NODE(objective_variance)
