// Chooses views of a scan by first, last, step and exclusion.
#include "core/nodes/input/scan_views.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tl {

Result<std::vector<int64_t>> chosen_views(const ViewChoice& choice, int64_t views) {
  const int64_t last = choice.last.value_or(views - 1);
  if (choice.first >= views || last >= views || last < choice.first)
    return invalid("the scan has " + std::to_string(views) + " views, " + std::to_string(choice.first) + " to " +
                       std::to_string(last) + " were chosen",
                   "first_view", "Views count from 0");
  std::vector<int64_t> chosen;
  for (int64_t i = choice.first; i <= last; i += choice.step)
    if (std::find(choice.exclude.begin(), choice.exclude.end(), static_cast<double>(i)) == choice.exclude.end())
      chosen.push_back(i);
  if (chosen.empty()) return invalid("no view is left", "exclude");
  return chosen;
}

double position_among(const std::vector<int64_t>& chosen, double at) {
  const double before = std::floor(at), fraction = at - before;
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

}  // namespace tl
