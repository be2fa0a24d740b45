// Stitches opposite views of a full turn, and scans at neighbouring heights.
#include "gpu/stitching/stitching.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/base/units.h"
#include "gpu/correction/sinograms.h"

namespace tl::ops {

Result<HalfTurnPlan> plan_half_turn(const std::vector<double>& angles, int64_t cols, double axis) {
  const std::string where = "full turn to half turn";
  const auto n = static_cast<int64_t>(angles.size());
  if (n < 4) return invalid(std::to_string(n) + " views do not make a turn", where);
  const AngleOrder order = angle_order(angles);
  if (!order.closed)
    return invalid(
        "the views cover " + std::to_string(std::llround(order.covered * 180 / pi)) + " degrees, not one full turn",
        where, "This needs views over 360 degrees");
  HalfTurnPlan p;
  const auto extra = static_cast<int64_t>(std::floor(2 * std::abs(axis)));
  if (extra >= cols)
    return invalid("opposite views have no column in common", where, "The axis must lie on the detector");
  p.cols = cols + extra;
  p.first = axis < 0 ? extra : 0;
  p.axis =
      0.5 * static_cast<double>(cols - 1) + axis + static_cast<double>(p.first) - 0.5 * static_cast<double>(p.cols - 1);
  const auto& groups = order.groups;
  for (const AngleGroup& group : groups) {
    const double opposite = group.angle + pi;
    if (group.angle > pi - 1e-6 * order.step) break;
    const auto next = std::lower_bound(groups.begin(), groups.end(), opposite,
                                       [](const AngleGroup& g, double angle) { return g.angle < angle; });
    const AngleGroup &low = *(next - 1), &high = next == groups.end() ? groups.front() : *next;
    const double gap = high.angle + (next == groups.end() ? 2 * pi : 0) - low.angle;
    for (std::size_t i = 0; i < group.views.size(); ++i) {
      p.views.push_back(group.views[i]);
      p.before.push_back(low.views[i % low.views.size()]);
      p.after.push_back(high.views[i % high.views.size()]);
      p.share.push_back(gap > 0 ? std::clamp((opposite - low.angle) / gap, 0.0, 1.0) : 1);
    }
  }
  return p;
}

Result<at::Tensor> stitch_half_turn(const at::Tensor& projections, const HalfTurnPlan& plan, double axis) {
  const std::string where = "full turn to half turn";
  TL_TRY(check_projections_on_any_device(projections, where));
  const int64_t cols = projections.size(2);
  for (const auto* list : {&plan.views, &plan.before, &plan.after})
    for (const int64_t v : *list)
      if (v >= projections.size(0)) return invalid("the plan is for other views", where);
  std::vector<int64_t> own, left, right;
  std::vector<double> between, weight;
  const double common = static_cast<double>(cols) - 2 * std::abs(axis);  // columns common to both views
  for (int64_t j = 0; j < plan.cols; ++j) {
    const int64_t c = j - plan.first;
    const double mirrored_col = static_cast<double>(cols - 1) + 2 * axis - static_cast<double>(c);
    const double inside = std::clamp(mirrored_col, 0.0, static_cast<double>(cols - 1));
    const auto low = std::min(static_cast<int64_t>(inside), std::max<int64_t>(0, cols - 2));
    own.push_back(std::clamp<int64_t>(c, 0, cols - 1));
    left.push_back(low);
    right.push_back(std::min(low + 1, cols - 1));
    between.push_back(inside - static_cast<double>(low));
    // Full weight of the view up to the common columns, decreasing to zero at its own edge.
    const double to_edge =
        axis >= 0 ? static_cast<double>(cols) - 0.5 - static_cast<double>(c) : static_cast<double>(c) + 0.5;
    const bool mine = c >= 0 && c<cols, theirs = mirrored_col> - 1 && mirrored_col < static_cast<double>(cols);
    weight.push_back(!mine ? 0 : !theirs ? 1 : std::clamp(to_edge / common, 0.0, 1.0));
  }
  const auto index = [&](const std::vector<int64_t>& list) {
    return at::tensor(list, at::kLong).to(projections.device());
  };
  const auto factor = [&](const std::vector<double>& list) {
    return at::tensor(list, at::kDouble).to(projections.device(), projections.scalar_type());
  };
  const auto blend = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& share) {
    return a + share * (b - a);
  };
  const at::Tensor opposite =
      blend(projections.index_select(0, index(plan.before)), projections.index_select(0, index(plan.after)),
            factor(plan.share).view({-1, 1, 1}));
  const at::Tensor theirs =
      blend(opposite.index_select(2, index(left)), opposite.index_select(2, index(right)), factor(between));
  const at::Tensor mine = projections.index_select(0, index(plan.views)).index_select(2, index(own));
  return blend(theirs, mine, factor(weight));
}

Result<at::Tensor> stitch_rows(const at::Tensor& upper, const at::Tensor& lower, int64_t overlap) {
  const std::string where = "vertical stitching";
  TL_TRY(check_projections_on_any_device(upper, where));
  TL_TRY(check_projections_on_any_device(lower, where));
  if (upper.size(0) != lower.size(0) || upper.size(2) != lower.size(2) || upper.scalar_type() != lower.scalar_type() ||
      upper.device() != lower.device())
    return invalid("the two scans have different views or columns", where);
  if (overlap < 0 || overlap > upper.size(1) || overlap > lower.size(1))
    return invalid("an overlap of " + std::to_string(overlap) + " rows", where, "It must fit into both scans");
  const int64_t above = upper.size(1) - overlap, below = lower.size(1) - overlap;
  std::vector<at::Tensor> parts = {upper.narrow(1, 0, above)};
  if (overlap > 0) {
    const at::Tensor share = ((at::arange(overlap, at::kDouble) + 0.5) / static_cast<double>(overlap))
                                 .to(upper.device(), upper.scalar_type())
                                 .view({1, overlap, 1});
    const at::Tensor a = upper.narrow(1, above, overlap), b = lower.narrow(1, 0, overlap);
    parts.push_back(a + share * (b - a));
  }
  parts.push_back(lower.narrow(1, overlap, below));
  return at::cat(parts, 1);
}

}  // namespace tl::ops
