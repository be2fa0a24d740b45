// Counts significant differences.
#include "core/tune/replay/compete.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/io/text/csv.h"
#include "core/tune/statistics.h"

namespace tl::tune {

Result<std::vector<Standing>> compete(const std::vector<CurvePoint>& points, const std::vector<int64_t>& budgets,
                                      std::optional<int64_t> runs) {
  constexpr double level = 0.05;
  std::vector<Standing> standings;
  std::map<std::string, std::size_t> place;
  std::map<std::pair<std::string, int64_t>, std::vector<const CurvePoint*>> groups;
  for (const CurvePoint& p : points) {
    if (place.emplace(p.optimiser, standings.size()).second) standings.push_back({p.optimiser, 0, 0});
    groups[{p.space, p.budget}].push_back(&p);
  }
  for (const int64_t budget : std::set<int64_t>(budgets.begin(), budgets.end())) {
    bool is_there = false;
    for (const auto& [group, rows] : groups) {
      if (group.second != budget) continue;
      is_there = true;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
          const CurvePoint &a = *rows[i], &b = *rows[k];
          if (a.optimiser == b.optimiser)
            return invalid("two rows have the same optimiser, budget and space",
                           a.optimiser + ", " + std::to_string(budget) + ", " + a.space, "Leave one out");
          const double p = pooled_t_test({a.mean_fraction, a.sd_fraction, runs.value_or(a.runs)},
                                         {b.mean_fraction, b.sd_fraction, runs.value_or(b.runs)});
          if (p >= level) continue;
          const bool a_wins = a.mean_fraction > b.mean_fraction;
          ++standings[place.at(a_wins ? a.optimiser : b.optimiser)].wins;
          ++standings[place.at(a_wins ? b.optimiser : a.optimiser)].losses;
        }
    }
    if (!is_there)
      return invalid("no row of the table has this budget", std::to_string(budget), "Give budgets of the table");
  }
  return standings;
}

std::string standings_csv(const std::vector<Standing>& standings) {
  std::string text = io::csv_line({"optimiser", "wins", "losses"});
  for (const Standing& s : standings)
    text += io::csv_line({s.optimiser, std::to_string(s.wins), std::to_string(s.losses)});
  return text;
}

}  // namespace tl::tune
