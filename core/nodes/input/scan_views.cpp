// Chooses views of a scan by first, last, step and exclusion.
#include "core/nodes/input/scan_views.h"

#include <algorithm>
#include <string>

namespace tl {

Result<std::vector<int64_t>> chosen_views(const ViewChoice& choice, int64_t views) {
  const int64_t last = choice.last_view.value_or(views - 1);
  if (choice.first_view >= views || last >= views || last < choice.first_view)
    return invalid("the scan has " + std::to_string(views) + " views, " + std::to_string(choice.first_view) + " to " +
                       std::to_string(last) + " were chosen",
                   "first_view", "Views count from 0");
  std::vector<int64_t> chosen;
  for (int64_t i = choice.first_view; i <= last; i += choice.view_step)
    if (std::find(choice.exclude.begin(), choice.exclude.end(), static_cast<double>(i)) == choice.exclude.end())
      chosen.push_back(i);
  if (chosen.empty()) return invalid("no view is left", "exclude");
  return chosen;
}

}  // namespace tl
