// budget_row: a setting that depends on the budget, from a row of seven.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tl::tune {

// The budgets for which Schoonhoven et al. (IEEE Transactions on Evolutionary Computation 2022) tuned the settings of
// each optimiser.
inline constexpr std::array<int64_t, 7> tuned_budgets = {25, 50, 100, 200, 400, 800, 1600};

// The setting of the tuned budget whose ratio to `budget` is nearest to one.
template <class T>
T budget_row(int64_t budget, const std::array<T, 7>& row) {
  std::size_t best = 0;
  const auto distance = [&](std::size_t i) {
    return std::abs(std::log(static_cast<double>(budget) / static_cast<double>(tuned_budgets[i])));
  };
  for (std::size_t i = 1; i < row.size(); ++i)
    if (distance(i) < distance(best)) best = i;
  return row[best];
}

}  // namespace tl::tune
