// Rings, truncation, the rotation axis and the angular range, from a few detector rows in all views.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/angle_order.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/run/hints/detectors.h"
#include "core/values/view_shifts.h"
#include "gpu/axis/angular_range.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/conjugate_rays.h"
#include "gpu/axis/ring_search.h"

namespace tl::hints {
namespace {

constexpr int64_t fewest = 16;           // views and columns needed to distinguish a ring from the object
constexpr double clear_level = 0.08;     // absorption at the ends of the rows, relative to the largest mean absorption
constexpr double min_shift = 1;          // [px] of the axis
constexpr double clear_shift = 5;        // sigmas
constexpr double clear_range_error = 6;  // sigmas
constexpr double min_range_error = 1.5 * pi / 180;
constexpr double other_view = 4, same_share = 0.35;  // see ViewChange
constexpr double clear_of_chance = 6;                // required agreement of opposite views, in sigmas
constexpr double clear_moments = 10;                 // required preference of moments for another range, in sigmas
constexpr double min_gap = 2 * pi / 180, min_gap_steps = 3;

std::string degrees(double angle) { return formatted("%.4g", angle * 180 / pi); }

std::optional<Hint> rings(const Projections& rows, const CancelToken& cancel) {
  const int64_t count = rows.data.size(1), cols = rows.data.size(2);
  if (rows.data.size(0) < fewest || cols < fewest) return {};
  ops::StripeRemovalSpec spec = ops::automatic_stripe_removal(cols, ops::StripeModel::offset);
  spec.order = angle_order(rows.geometry);
  spec.cancel = cancel;
  const ops::RingSearch search = ops::find_rings(rows.data, ops::ring_geometry(rows.geometry), spec);
  const ops::StripeSummary& s = search.summary;
  if (!search.rings) return {};
  Hint h;
  h.kind = HintKind::rings;
  h.evidence = "Rings: stripes in " + formatted("%.3g", static_cast<double>(s.columns) / static_cast<double>(count)) +
               " of " + std::to_string(cols) + " columns (mean of " + std::to_string(count) + " rows)";
  if (s.height > 0) h.evidence += ", off by up to " + formatted("%.2g", 100 * (1 - std::exp(-s.height))) + " %";
  h.advice = "Rings, automatic removes only stripes.";
  h.node = Registry::all().recommended_remedy(to_string(h.kind));
  return h;
}

std::optional<Hint> truncation(ops::RowEnds ends, double level) {
  if (ends != ops::RowEnds::object || level < clear_level) return {};
  Hint h;
  h.kind = HintKind::truncation;
  h.evidence = "Truncated: the object reaches the edge of the detector, with " + formatted("%.2g", 100 * level) +
               " % of its largest absorption there";
  h.advice = "Values are right up to a constant inside the field of view; a circular mask removes what is outside.";
  h.node = Registry::all().recommended_remedy(to_string(h.kind));
  return h;
}

std::optional<Hint> shifted_axis(double axis, double sigma, double stated) {
  if (!(std::abs(axis - stated) > std::max(min_shift, clear_shift * sigma))) return {};
  Hint h;
  h.kind = HintKind::axis;
  h.evidence = "Rotation axis: " + formatted("%.1f", axis) + " px from the detector centre, by opposite views" +
               (stated == 0 ? "" : "; the scan says " + formatted("%.1f", stated) + " px");
  h.advice = "Axis, method chosen measures it.";
  h.node = Registry::all().recommended_remedy(to_string(h.kind));
  return h;
}

Hint wrong_range(const std::string& evidence, double range) {
  Hint h;
  h.kind = HintKind::angular_range;
  h.evidence = "Wrong angles: " + evidence;
  h.advice = "Set geometry gives the views " + degrees(range) + " degrees.";
  h.node = Registry::all().recommended_remedy(to_string(h.kind));
  h.params["angular_range"] = Number{range * 180 / pi, Unit::deg};
  return h;
}

// Mean squared differences of views, relative to those of neighbouring views.
struct ViewChange {
  double around = 0;  // between the last view and the first, not mirrored
  double across = 0;  // between views half the scan apart
};
ViewChange change_of_views(const at::Tensor& rows) {
  const int64_t n = rows.size(0);
  const auto squares = [&](const at::Tensor& a, const at::Tensor& b) {
    return (a - b).square().mean(at::IntArrayRef{1, 2}).median().item<double>();
  };
  const double usual = std::max(squares(rows.slice(0, 0, n - 1), rows.slice(0, 1, n)), 1e-30);
  return {squares(rows.slice(0, 0, 1), rows.slice(0, n - 1, n)) / usual,
          squares(rows.slice(0, 0, n / 2), rows.slice(0, n - n / 2, n)) / usual};
}

// The angular range indicated by the moments of the views, if it clearly differs from that of the angles. Opposite
// views do not detect that half a turn is some degrees short: its first view and the mirror image of its last one are
// then equally many degrees apart, and most objects look different by then.
std::optional<Hint> range_by_moments(const Projections& rows, const std::vector<double>& angles, double covered,
                                     const ops::AxisChecks& c, const CancelToken& cancel) {
  if (c.ends != ops::RowEnds::air) return {};
  const ops::AngularRange m = ops::angular_range_by_moments(rows.data, angles, cancel);
  const double size = std::abs(covered), error = (m.scale - 1) * size, sigma = m.sigma * size;
  const bool clear = m.known && m.significance > clear_moments &&
                     std::abs(error) > std::max(clear_range_error * sigma, min_range_error);
  if (!clear) return {};
  // Only half a turn has a seam at which opposite views measure the range, too.
  const double apart = std::abs(error - c.opposite.range_error), opposite_sigma = c.opposite.range_sigma;
  if (c.opposite.found && opposite_sigma > 0 && apart > clear_range_error * std::hypot(sigma, opposite_sigma))
    return {};
  return wrong_range("the scan says " + degrees(size) + " degrees, the moments of its views say " +
                         degrees(size * m.scale) + " +- " + formatted("%.2g", sigma * 180 / pi),
                     covered * m.scale);
}

// Views that contradict their angles: a wrong range, or a full turn mistaken for half a turn or vice versa.
std::optional<Hint> angular_range(const Projections& rows, const std::vector<double>& angles, const ops::AxisChecks& c,
                                  const CancelToken& cancel) {
  const auto n = static_cast<double>(angles.size());
  const double covered = (angles.back() - angles.front()) * n / (n - 1), size = std::abs(covered);
  const ops::OppositeViews& o = c.opposite;
  const bool half = std::abs(size - pi) < 0.1 * pi, full = std::abs(size - 2 * pi) < 0.1 * pi;
  if (!half && !full) return {};
  if (o.found) return range_by_moments(rows, angles, covered, c, cancel);
  const double other = half ? 2 : 0.5;
  // After a full turn the first view recurs; after half a turn its mirror image.
  const ViewChange change = change_of_views(rows.data);
  const bool same = change.around < same_share * change.across;
  const bool closes = same && change.across > other_view, opens = !same && change.around > other_view;
  std::vector<double> supposed = angles;
  for (double& a : supposed) a *= other;
  const bool possible = half ? closes : opens;
  const ops::AxisChecks again = possible ? ops::check_axis_data(rows.data, supposed, cancel) : ops::AxisChecks();
  if (again.opposite.found && again.opposite.significance > clear_of_chance)
    return wrong_range("the scan says " + degrees(size) + " degrees, but opposite views agree only if it covered " +
                           degrees(size * other),
                       covered * other);
  if (auto hint = range_by_moments(rows, angles, covered, c, cancel)) return hint;
  const bool off = std::abs(o.range_error) > std::max(clear_range_error * o.range_sigma, min_range_error);
  if (!half || !o.contradicted || !off || o.significance < clear_of_chance) return {};
  const double range = covered + std::copysign(o.range_error, covered * o.range_error);
  return wrong_range("the scan says " + degrees(size) + " degrees, its views cover " + degrees(std::abs(range)) +
                         " +- " + formatted("%.2g", o.range_sigma * 180 / pi),
                     range);
}

// Monotonic angles in equal steps, which geometry.set can replace.
bool are_equidistant(const std::vector<double>& angles) {
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
  for (std::size_t i = 0; i < angles.size(); ++i)
    if (std::abs(angles[i] - angles[0] - static_cast<double>(i) * step) > 0.3 * std::abs(step)) return false;
  return std::abs(step) > 0;
}

void by_opposite_views(const Projections& rows, const Orbit& orbit, const CancelToken& cancel, std::vector<Hint>& all) {
  const ops::AxisChecks c = ops::check_axis_data(rows.data, orbit.angles, cancel);
  if (!c.any_contrast) return;
  if (are_equidistant(orbit.angles))
    if (const auto h = angular_range(rows, orbit.angles, c, cancel)) all.push_back(*h);
  if (c.opposite.found && c.opposite.significance > clear_of_chance)
    if (const auto h = shifted_axis(c.opposite.axis, c.opposite.sigma, orbit.axis)) all.push_back(*h);
  if (const auto h = truncation(c.ends, c.level_at_ends)) all.push_back(*h);
}

void by_opposite_rays(const Projections& rows, const Orbit& orbit, const CancelToken& cancel, std::vector<Hint>& all) {
  if (rows.geometry.angular_range() < 2 * pi - 1e-3 || orbit.source_shift_u != 0 || orbit.source_shift_v != 0) return;
  ops::ConjugateRaysParams p;
  p.search.cancel = cancel;
  p.fan_per_column = rows.geometry.detector().pitch_u / (orbit.source_to_axis + orbit.axis_to_detector);
  const ops::AxisResult found = ops::axis_conjugate_rays(rows.data, orbit.angles, p);
  if (found.verdict != ops::AxisVerdict::resolved) return;
  if (const auto h = shifted_axis(found.axis, found.uncertainty, orbit.axis)) all.push_back(*h);
}

}  // namespace

std::vector<Hint> in_whole_rows(const Projections& rows, const CancelToken& cancel) {
  std::vector<Hint> all;
  const auto orbit = rows.geometry.orbit();
  if (rows.data.size(0) >= fewest && rows.data.size(2) >= fewest && orbit && orbit->is_nominal()) {
    try {
      Projections straight = rows;
      straight.data = unshifted_rows(rows);
      if (orbit->beam == Beam::parallel)
        by_opposite_views(straight, *orbit, cancel, all);
      else
        by_opposite_rays(straight, *orbit, cancel, all);
    } catch (const Failure& failure) {  // a scan in which the axis cannot be searched
      if (failure.error().kind != ErrorKind::invalid) throw;
    }
  }
  if (const auto h = rings(rows, cancel)) all.push_back(*h);
  return all;
}

std::optional<Hint> missing_angles(const ScanGeometry& geometry) {
  const auto orbit = geometry.orbit();
  if (!orbit || orbit->angles.size() < static_cast<std::size_t>(fewest) || orbit->beam != Beam::parallel ||
      orbit->lamino != 0)
    return {};
  // In a parallel beam, opposite views are mirror images.
  const std::vector<AngleGroup> groups = angle_groups(orbit->angles, pi);
  const std::vector<double> gaps = angle_gaps(groups, pi);
  const auto widest = std::max_element(gaps.begin(), gaps.end());
  const double gap = *widest, from = groups[static_cast<std::size_t>(widest - gaps.begin())].angle;
  const double step = std::max(pi / static_cast<double>(groups.size()), typical_gap(gaps));
  if (gap < std::max(min_gap, min_gap_steps * step)) return {};
  Hint h;
  h.kind = HintKind::missing_angles;
  h.evidence = "Missing angles: no view between " + degrees(from) + " and " + degrees(from + gap) + " degrees, " +
               formatted("%.2g", 100 * gap / pi) + " % of half a turn";
  h.advice =
      "Edges along these directions are blurred; an iterative reconstruction (SIRT, FISTA-TV) shows fewer streaks.";
  return h;
}

}  // namespace tl::hints
