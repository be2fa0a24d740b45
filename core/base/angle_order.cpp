// Sorts the views of a scan by angle: folded onto a circle, grouped where angles repeat, opened at the largest gap.
#include "core/base/angle_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <numeric>

#include "core/base/units.h"

namespace tl {
namespace {

constexpr double same_angle = 1e-3;  // of the mean gap

std::vector<double> folded(std::span<const double> angles, double period) {
  std::vector<double> out(angles.begin(), angles.end());
  for (double& angle : out) {
    angle -= period * std::floor(angle / period);
    if (angle >= period) angle = 0;  // rounding can lift a tiny negative angle to the period
  }
  return out;
}

std::size_t index_of(int64_t i) { return static_cast<std::size_t>(i); }

// The view among `candidates` that is nearest in time to `view`.
int64_t nearest_in_time(const std::vector<int64_t>& candidates, int64_t view) {
  return *std::min_element(candidates.begin(), candidates.end(),
                           [view](int64_t a, int64_t b) { return std::abs(a - view) < std::abs(b - view); });
}

// Fills all other members from the ordered groups; the angles of a group's views lie around the angle of the group.
AngleOrder from_groups(std::vector<AngleGroup> groups, std::span<const double> angles, double period) {
  AngleOrder order;
  order.groups = std::move(groups);
  order.group_of.assign(angles.size(), 0);
  if (order.groups.empty()) return order;
  for (std::size_t g = 0; g < order.groups.size(); ++g) {
    AngleGroup& group = order.groups[g];
    const auto offset = [&](int64_t view) { return std::remainder(angles[index_of(view)] - group.angle, period); };
    std::stable_sort(group.views.begin(), group.views.end(),
                     [&](int64_t a, int64_t b) { return offset(a) < offset(b); });
    for (const int64_t view : group.views) {
      order.group_of[index_of(view)] = static_cast<int64_t>(g);
      order.views.push_back(view);
      order.angles.push_back(group.angle + offset(view));
    }
  }
  order.begin = order.angles.front();
  for (double& angle : order.angles) angle -= order.begin;
  for (AngleGroup& group : order.groups) group.angle -= order.begin;
  return order;
}

// Extent of a sweep with these gaps between its angles, from end to end.
void set_extent(AngleOrder& order, const std::vector<double>& gaps, double most) {
  if (gaps.empty()) return;
  // The typical gap includes the largest one: without it, a sweep of few views would have none.
  std::vector<double> all = gaps;
  all.push_back(*std::max_element(gaps.begin(), gaps.end()));
  const double typical = typical_gap(all);
  std::vector<double> measured;
  double missing = 0;
  for (const double gap : gaps)
    if (gap > missing_gap * typical) {
      missing += gap;
    } else {
      measured.push_back(gap);
    }
  order.step = typical;
  const double sum = std::accumulate(gaps.begin(), gaps.end(), 0.0);
  const auto pieces = static_cast<double>(gaps.size() - measured.size() + (order.closed ? 0 : 1));
  order.range = std::min(sum + (order.closed ? 0 : typical), most);
  order.covered = std::min(sum - missing + pieces * typical, most);
}

// Whether the views move along the axis by more than a row.
bool is_helical(const ScanGeometry& geometry) {
  // Travel per view in rows; in a parallel beam in rows at the axis, so that a roll of the detector does not count.
  const double row = geometry.is_parallel() ? 1 : geometry.detector().pitch_v / geometry.magnification();
  double low = 0, high = 0;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    const double z = geometry.is_parallel() ? geometry.project(i, {0, 0, 0}).row : geometry.view(i).beam.z;
    low = i == 0 ? z : std::min(low, z);
    high = i == 0 ? z : std::max(high, z);
  }
  return high - low > row;
}

// The order of a scan whose turns stay separate: consecutive views differ by less than half a turn.
AngleOrder sweep_order(std::vector<double> angles) {
  for (std::size_t i = 1; i < angles.size(); ++i)
    angles[i] -= 2 * pi * std::round((angles[i] - angles[i - 1]) / (2 * pi));
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  const double first = *low, period = *high - *low + 4 * pi;
  for (double& angle : angles) angle -= first;
  AngleOrder order = from_groups(angle_groups(angles, period), angles, period);
  order.begin += first;
  std::vector<double> gaps = angle_gaps(order.groups, period);
  gaps.pop_back();
  set_extent(order, gaps, period);
  return order;
}

}  // namespace

std::vector<AngleGroup> angle_groups(std::span<const double> given, double period) {
  std::vector<double> angles = folded(given, period);
  const double tolerance = same_angle * period / static_cast<double>(std::max<std::size_t>(angles.size(), 1));
  // A view at angle zero that rounding moved slightly below stays the first one.
  for (double& angle : angles)
    if (period - angle <= tolerance) angle -= period;
  std::vector<int64_t> order(angles.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return angles[index_of(a)] < angles[index_of(b)]; });
  std::vector<AngleGroup> groups;
  for (const int64_t i : order) {
    if (groups.empty() || angles[index_of(i)] - angles[index_of(groups.back().views.front())] > tolerance)
      groups.emplace_back();
    groups.back().views.push_back(i);
  }
  // The circle wraps around.
  if (groups.size() > 1 &&
      angles[index_of(groups.front().views.back())] + period - angles[index_of(groups.back().views.front())] <=
          tolerance) {
    auto& first = groups.front().views;
    first.insert(first.end(), groups.back().views.begin(), groups.back().views.end());
    groups.pop_back();
  }
  for (AngleGroup& g : groups) {
    const double origin = angles[index_of(g.views.front())];
    double offset = 0;
    for (const int64_t i : g.views) offset += std::remainder(angles[index_of(i)] - origin, period);
    g.angle = origin + offset / static_cast<double>(g.views.size());
  }
  return groups;
}

std::vector<double> angle_gaps(const std::vector<AngleGroup>& groups, double period) {
  std::vector<double> gaps(groups.size());
  for (std::size_t k = 0; k < groups.size(); ++k)
    gaps[k] = k + 1 < groups.size() ? groups[k + 1].angle - groups[k].angle
                                    : groups.front().angle + period - groups.back().angle;
  return gaps;
}

double typical_gap(std::vector<double> gaps) {
  TL_CHECK(!gaps.empty(), "typical gap of none");
  std::sort(gaps.begin(), gaps.end());
  if (gaps.size() > 1) gaps.pop_back();
  const double half = 0.5 * std::accumulate(gaps.begin(), gaps.end(), 0.0);
  double angle = 0;
  for (const double gap : gaps) {
    angle += gap;
    if (angle >= half) return gap;
  }
  return gaps.back();
}

AngleOrder angle_order(std::span<const double> angles) {
  constexpr double turn = 2 * pi;
  std::vector<AngleGroup> groups = angle_groups(angles, turn);
  if (groups.size() < 2) return from_groups(std::move(groups), angles, turn);
  std::vector<double> gaps = angle_gaps(groups, turn);
  const auto largest = std::max_element(gaps.begin(), gaps.end());
  const bool closed = *largest < open_gap * typical_gap(gaps);
  if (!closed) {
    const auto first = std::distance(gaps.begin(), largest) + 1;
    for (auto g = groups.begin() + first; g != groups.end(); ++g) g->angle -= turn;
    std::rotate(groups.begin(), groups.begin() + first, groups.end());
    std::rotate(gaps.begin(), gaps.begin() + first, gaps.end());
    gaps.pop_back();
  }
  AngleOrder order = from_groups(std::move(groups), angles, turn);
  order.closed = closed;
  set_extent(order, gaps, turn);
  return order;
}

AngleOrder angle_order(const ScanGeometry& geometry) {
  const std::vector<double> angles = beam_angles(geometry);
  return geometry.views() > 1 && is_helical(geometry) ? sweep_order(angles) : angle_order(angles);
}

std::vector<double> beam_angles(const ScanGeometry& geometry) {
  std::vector<double> angles;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    const Vec3 beam = geometry.view(i).beam;
    angles.push_back(geometry.is_parallel() ? std::atan2(-beam.x, beam.y) : std::atan2(beam.x, -beam.y));
  }
  return angles;
}

std::vector<int64_t> AngleOrder::repeats(int64_t view) const {
  std::vector<int64_t> others;
  for (const int64_t other : groups[index_of(group_of[index_of(view)])].views)
    if (other != view) others.push_back(other);
  std::stable_sort(others.begin(), others.end(),
                   [view](int64_t a, int64_t b) { return std::abs(a - view) < std::abs(b - view); });
  return others;
}

AngleOrder::Neighbours AngleOrder::neighbours(int64_t view) const {
  const auto n = static_cast<int64_t>(groups.size());
  const int64_t group = group_of[index_of(view)];
  const auto at = [&](int64_t g) -> std::optional<int64_t> {
    if (n < 2 || (!closed && (g < 0 || g >= n))) return std::nullopt;
    return nearest_in_time(groups[index_of((g + n) % n)].views, view);
  };
  return {at(group - 1), at(group + 1)};
}

}  // namespace tl
