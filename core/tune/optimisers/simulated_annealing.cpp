// Simulated annealing, followed by a climb.
#include <cmath>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/climb.h"

namespace tl::tune {
namespace {

constexpr int64_t steps = 10'000;
constexpr double hottest = 1e7, coldest = 1e-5;

void search_annealing(Run& run) {
  const auto share = budget_row<double>(run.budget(), {1, 1, 1, 1, .7, .1, .1});
  const int64_t changes =
      std::max<int64_t>(1, std::llround(share * static_cast<double>(run.landscape().value_count())));
  const bool climbs = run.budget() > tuned_budgets.front();
  for (;;) {
    int64_t at = run.random_cell();
    double score = run.finite(at);
    for (int64_t k = 0; k < steps; ++k) {
      const double temperature =
          hottest * std::exp(-std::log(hottest / coldest) * static_cast<double>(k) / static_cast<double>(steps));
      const int64_t next = run.mutated(at, changes);
      const double other = run.finite(next);
      if (other > score && !run.random().happens(std::exp((score - other) / temperature))) continue;
      at = next;
      score = other;
    }
    if (climbs) climb_first(run, at, Neighbourhood::hamming, AfterGain::restart);
  }
}

}  // namespace

Optimiser optimiser_simulated_annealing() {
  return {"simulated_annealing", "Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983), then a climb",
          search_annealing};
}

}  // namespace tl::tune
