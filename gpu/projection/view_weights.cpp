// Weights views by the angle that each represents: angles folded onto a circle, grouped, weighted by the trapezoid
// rule, with missing data redistributed.
#include "gpu/projection/view_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/angle_order.h"
#include "core/base/units.h"
#include "core/base/vec3.h"

namespace tl::ops {
namespace {

// Treatment of a gap: its halves are assigned to the two neighbouring views, to more of them, or to none.
enum class GapTreatment { measured, filled, open };

std::vector<GapTreatment> gap_treatments(const std::vector<double>& gaps, Turn turn) {
  const double typical = typical_gap(gaps);
  std::vector<GapTreatment> treatments;
  for (const double gap : gaps)
    treatments.push_back(gap > missing_gap * typical ? GapTreatment::filled : GapTreatment::measured);
  const auto largest = std::max_element(gaps.begin(), gaps.end());
  if (turn == Turn::whole && *largest >= open_gap * typical)
    treatments[static_cast<std::size_t>(largest - gaps.begin())] = GapTreatment::open;
  return treatments;
}

enum class Towards { lower, higher };

// Distributes `angle` among group k and groups within `reach` of it, with linearly decreasing weights.
void share_out(double angle, double reach, std::size_t k, Towards towards, const std::vector<double>& gaps,
               const std::vector<double>& own, std::vector<double>& angles) {
  const std::size_t n = gaps.size();
  std::vector<std::pair<std::size_t, double>> shares;
  double away = 0, sum = 0;
  for (std::size_t i = 0; i < n && away < reach; ++i) {
    shares.emplace_back(k, own[k] * (1 - away / reach));
    sum += shares.back().second;
    const std::size_t last = (k + n - 1) % n;
    away += gaps[towards == Towards::lower ? last : k];
    k = towards == Towards::lower ? last : (k + 1) % n;
  }
  for (const auto& [group, share] : shares) angles[group] += angle * share / sum;
}

}  // namespace

Result<ViewWeights> view_weights(const ScanGeometry& geometry, Turn turn) {
  const auto views = static_cast<std::size_t>(geometry.views());
  if (views == 0) return invalid("a scan needs at least one view", "view weights");
  std::vector<double> sine(views, 1.0);
  bool half_turn = geometry.is_parallel() && turn == Turn::by_rays;
  for (std::size_t i = 0; i < views; ++i) {
    const Vec3 beam = geometry.view(static_cast<int64_t>(i)).beam;
    const double across = std::hypot(beam.x, beam.y);
    if (!(across > 1e-6 * norm(beam)))
      return invalid("the beam of view " + std::to_string(i) + " runs along the rotation axis", "geometry",
                     "Check the laminography angle");
    if (geometry.is_parallel()) sine[i] = across / norm(beam);
    if (sine[i] < 1 - 1e-9) half_turn = false;
  }
  ViewWeights result;
  result.period = half_turn ? pi : 2 * pi;
  const std::vector<AngleGroup> groups = angle_groups(beam_angles(geometry), result.period);
  const std::vector<double> gaps = angle_gaps(groups, result.period);
  const std::vector<GapTreatment> treatments = gap_treatments(gaps, turn);
  std::vector<double> present;
  for (std::size_t k = 0; k < gaps.size(); ++k)
    if (treatments[k] == GapTreatment::measured) present.push_back(gaps[k]);
  result.step = present.empty() ? result.period : typical_gap(present);
  std::vector<double> before(groups.size()), after(groups.size()), own(groups.size());
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const std::size_t last = (k + groups.size() - 1) % groups.size();
    const bool begins = treatments[last] != GapTreatment::measured, ends = treatments[k] != GapTreatment::measured;
    // Next to missing data, a view represents as much angle on that side as on the other.
    before[k] = !begins ? gaps[last] : ends ? result.step : gaps[k];
    after[k] = ends ? before[k] : gaps[k];
    own[k] = 0.5 * (before[k] + after[k]);
    result.covered += own[k];
    if (treatments[last] == GapTreatment::open) result.begin = groups[k].angle - 0.5 * before[k];
  }
  result.missing = static_cast<int>(std::count(treatments.begin(), treatments.end(), GapTreatment::open));
  std::vector<double> stands_for = own;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (treatments[k] != GapTreatment::filled) continue;
    const std::size_t next = (k + 1) % groups.size();
    const double missing = gaps[k] - 0.5 * (after[k] + before[next]);
    result.filled += missing;
    result.gaps.push_back({gaps[k], groups[k].views.front(), groups[next].views.front()});
    share_out(0.5 * missing, 0.5 * gaps[k], k, Towards::lower, gaps, own, stands_for);
    share_out(0.5 * missing, 0.5 * gaps[k], next, Towards::higher, gaps, own, stands_for);
  }
  std::stable_sort(result.gaps.begin(), result.gaps.end(),
                   [](const ViewWeights::Gap& a, const ViewWeights::Gap& b) { return a.angle > b.angle; });
  // Normalization by how often a complete scan measures each ray.
  const double share = turn == Turn::by_rays ? pi / result.period : 1;
  result.weights.assign(views, 0.0);
  for (std::size_t k = 0; k < groups.size(); ++k)
    for (const int64_t i : groups[k].views)
      result.weights[static_cast<std::size_t>(i)] =
          stands_for[k] * share * sine[i] / static_cast<double>(groups[k].views.size());
  return result;
}

}  // namespace tl::ops
