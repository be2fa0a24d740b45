// Competition: which optimisers are significantly better than which, counted over spaces and budgets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/tune/replay/replay.h"

namespace tl::tune {

struct Standing {
  std::string optimiser;
  int64_t wins = 0, losses = 0;
};

// For each space and each of the budgets, every pair of optimisers is compared by a pooled t-test of their mean
// fractions at the level .05; the better one wins, the other loses. `runs` stands for the number of runs of all rows if
// given. Optimisers in the order of the table. Invalid: a budget that no row has, two rows of the same optimiser,
// budget and space.
Result<std::vector<Standing>> compete(const std::vector<CurvePoint>& points, const std::vector<int64_t>& budgets,
                                      std::optional<int64_t> runs = {});

// CSV with the columns optimiser, wins, losses.
std::string standings_csv(const std::vector<Standing>& standings);

}  // namespace tl::tune
