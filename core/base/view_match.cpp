// Pairs views of equal number if their rays agree, the others by the directions of their beams.
#include "core/base/view_match.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/text.h"

namespace tl {
namespace {

// The point of the line through p along d (unit length) next to the origin.
Vec3 nearest_to_origin(Vec3 p, Vec3 d) { return p - dot(p, d) * d; }

// Largest distance [px] between rays of the same column inside the object, after removing any shift along the detector
// columns.
double ray_distance(const View& a, const View& b, const DetectorShape& detector) {
  const double half = 0.5 * static_cast<double>(std::max<int64_t>(detector.cols - 1, 1)), pitch = norm(a.u);
  const Vec3 da = (1 / norm(a.beam)) * a.beam, db = (1 / norm(b.beam)) * b.beam;
  const Vec3 across = cross(da, (1 / norm(a.v)) * a.v);
  double farthest = half * norm(da - db);
  for (const double column : {-half, half}) {
    const Vec3 at_a = nearest_to_origin(a.detector + column * a.u, da),
               at_b = nearest_to_origin(b.detector + column * b.u, db);
    farthest = std::max(farthest, std::abs(dot(at_a - at_b, across)) / (pitch * norm(across)));
  }
  const double lean = std::abs(dot(a.u - b.u, a.v)) / (pitch * norm(a.v));
  return std::max(farthest, half * lean);
}

// Directions of the beams as angles about a common axis [rad], in (-pi, pi].
std::vector<double> directions(const ScanGeometry& scan, const View& frame) {
  const Vec3 x = (1 / norm(frame.u)) * frame.u, y = cross((1 / norm(frame.v)) * frame.v, x);
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(scan.views()));
  for (int64_t i = 0; i < scan.views(); ++i)
    all.push_back(std::atan2(dot(scan.view(i).beam, y), dot(scan.view(i).beam, x)));
  return all;
}

double turned_by(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

std::string degrees(double radians) { return formatted("%.3g", radians * 180 / std::numbers::pi); }

Error no_partner(int64_t view, int64_t nearest, double turn, double distance) {
  return invalid("view " + std::to_string(view) + " of one scan has rays that no view of the other scan has: the " +
                     "nearest, view " + std::to_string(nearest) + ", is rotated by " + degrees(turn) +
                     " deg, and its rays are up to " + formatted("%.3g", distance) + " px away",
                 {}, "Both scans need the same angles, axis and tilt");
}

}  // namespace

Result<std::vector<int64_t>> matching_views(const ScanGeometry& one, const ScanGeometry& other) {
  const DetectorShape &d = one.detector(), &e = other.detector();
  if (!one.is_parallel() || !other.is_parallel())
    return invalid("views of two scans contain the same rays only in a parallel beam");
  if (one.views() != other.views())
    return invalid("one scan has " + std::to_string(one.views()) + " views, the other " +
                   std::to_string(other.views()));
  if (d.cols != e.cols)
    return invalid("one scan has " + std::to_string(d.cols) + " columns, the other " + std::to_string(e.cols));
  // Pitches read from files of different programs agree to their digits only.
  const auto differ = [](double p, double q) { return std::abs(p - q) > 1e-4 * std::abs(p); };
  if (differ(d.pitch_u, e.pitch_u) || differ(d.pitch_v, e.pitch_v))
    return invalid("the two scans have pixels of different sizes");
  const auto views = static_cast<std::size_t>(one.views());
  std::vector<int64_t> partner(views, -1);
  std::vector<char> taken(views, 0);
  const auto close = [&](std::size_t i, std::size_t j) {
    return ray_distance(one.view(static_cast<int64_t>(i)), other.view(static_cast<int64_t>(j)), d) <= same_ray_distance;
  };
  for (std::size_t i = 0; i < views; ++i)
    if (close(i, i)) {
      partner[i] = static_cast<int64_t>(i);
      taken[i] = 1;
    }
  if (std::find(partner.begin(), partner.end(), -1) == partner.end()) return partner;
  const std::vector<double> from = directions(one, one.view(0)), to = directions(other, one.view(0));
  std::vector<std::size_t> by_direction(views);
  for (std::size_t i = 0; i < views; ++i) by_direction[i] = i;
  std::stable_sort(by_direction.begin(), by_direction.end(), [&](auto a, auto b) { return to[a] < to[b]; });
  const double window = 2 * same_ray_distance / std::max<double>(1, 0.5 * static_cast<double>(d.cols - 1));
  for (std::size_t i = 0; i < views; ++i) {
    if (partner[i] >= 0) continue;
    // The views within the window; directions go round.
    for (const double turn : {0.0, 2 * std::numbers::pi, -2 * std::numbers::pi}) {
      auto j = std::lower_bound(by_direction.begin(), by_direction.end(), from[i] + turn - window,
                                [&](std::size_t k, double angle) { return to[k] < angle; });
      for (; partner[i] < 0 && j != by_direction.end() && to[*j] <= from[i] + turn + window; ++j)
        if (taken[*j] == 0 && close(i, *j)) {
          partner[i] = static_cast<int64_t>(*j);
          taken[*j] = 1;
        }
    }
    if (partner[i] >= 0) continue;
    const auto nearest = static_cast<std::size_t>(
        std::min_element(to.begin(), to.end(),
                         [&](double a, double b) { return turned_by(a, from[i]) < turned_by(b, from[i]); }) -
        to.begin());
    return no_partner(static_cast<int64_t>(i), static_cast<int64_t>(nearest), turned_by(to[nearest], from[i]),
                      ray_distance(one.view(static_cast<int64_t>(i)), other.view(static_cast<int64_t>(nearest)), d));
  }
  return partner;
}

}  // namespace tl
