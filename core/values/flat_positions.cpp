// Counts the positions of flats in chosen views.
#include "core/values/flat_positions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

namespace tl {
namespace {

// The view after a flat's position; the flat lies between it and the previous view.
int64_t view_after(double at) { return static_cast<int64_t>(std::floor(at)) + 1; }
double fraction_of(double at) { return at - std::floor(at); }

// Whether a chosen view belongs to the same part of the scan as the flat, or that part is outside the chosen views.
// Parts begin at the views after flats that were taken at a view.
bool stays(const std::vector<int64_t>& chosen, const std::set<int64_t>& parts, double at) {
  if (fraction_of(at) == 0.5) return true;
  int64_t begin = std::numeric_limits<int64_t>::min(), end = std::numeric_limits<int64_t>::max();
  const auto own = parts.find(view_after(at));
  if (fraction_of(at) < 0.5) {
    end = *own;
    if (own != parts.begin()) begin = *std::prev(own);
  } else {
    begin = *own;
    if (std::next(own) != parts.end()) end = *std::next(own);
  }
  if (end <= chosen.front() || begin > chosen.back()) return true;
  const auto first = std::lower_bound(chosen.begin(), chosen.end(), begin);
  return first != chosen.end() && *first < end;
}

// Half positions before all chosen views, which position_among() maps to one value: flats taken earlier are moved one
// view further each. The same after the last chosen view.
void separate_outside(const std::vector<int64_t>& chosen, const std::vector<double>& positions, FlatsAmong& among) {
  std::set<double> before, after;
  const auto time_of = [&](std::size_t i) { return positions[static_cast<std::size_t>(among.flats[i])]; };
  const auto first = static_cast<double>(chosen.front()), last = static_cast<double>(chosen.back());
  for (std::size_t i = 0; i < among.flats.size(); ++i) {
    if (fraction_of(time_of(i)) != 0.5) continue;
    if (time_of(i) < first) before.insert(time_of(i));
    if (time_of(i) > last) after.insert(time_of(i));
  }
  for (std::size_t i = 0; i < among.flats.size(); ++i) {
    if (before.count(time_of(i)) != 0)
      among.positions[i] -= static_cast<double>(std::distance(before.upper_bound(time_of(i)), before.end()));
    if (after.count(time_of(i)) != 0)
      among.positions[i] += static_cast<double>(std::distance(after.begin(), after.find(time_of(i))));
  }
}

}  // namespace

double position_among(const std::vector<int64_t>& chosen, double at) {
  const double before = std::floor(at), fraction = fraction_of(at);
  const auto first_from = [&](double view) {
    return static_cast<double>(std::lower_bound(chosen.begin(), chosen.end(), static_cast<int64_t>(view)) -
                               chosen.begin());
  };
  if (fraction == 0.5) return first_from(before + 1) - 0.5;
  const double view = fraction < 0.5 ? before : before + 1;
  const auto first = static_cast<double>(chosen.front()), last = static_cast<double>(chosen.back());
  if (view < first) return view - first;
  if (view > last) return static_cast<double>(chosen.size() - 1) + view - last;
  return fraction < 0.5 ? first_from(view + 1) - 1 : first_from(view);
}

FlatsAmong flats_among(const std::vector<int64_t>& chosen, const std::vector<double>& positions) {
  std::set<int64_t> parts;
  for (const double at : positions)
    if (fraction_of(at) != 0.5) parts.insert(view_after(at));
  const bool any = std::any_of(positions.begin(), positions.end(), [&](double at) { return stays(chosen, parts, at); });
  FlatsAmong among;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (any && !stays(chosen, parts, positions[i])) continue;
    among.flats.push_back(static_cast<int64_t>(i));
    among.positions.push_back(position_among(chosen, positions[i]));
  }
  separate_outside(chosen, positions, among);
  return among;
}

}  // namespace tl
