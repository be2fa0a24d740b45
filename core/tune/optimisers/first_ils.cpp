// Iterated local search by first improvement.
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/iterated.h"

namespace tl::tune {
namespace {

void search_first_ils(Run& run) {
  using enum Neighbourhood;
  using enum AfterGain;
  IteratedSettings s;
  s.walk = budget_row<double>(run.budget(), {1, 1, 1, 1, 1, .05, .05});
  s.patience = budget_row<int64_t>(run.budget(), {25, 25, 25, 25, 25, 10, 10});
  s.neighbours =
      budget_row<Neighbourhood>(run.budget(), {hamming, hamming, hamming, hamming, hamming, bounded, bounded});
  s.after = budget_row<AfterGain>(run.budget(), {goes_on, goes_on, goes_on, goes_on, restart, restart, restart});
  search_iterated(run, s);
}

}  // namespace

Optimiser optimiser_first_ils() {
  return {"first_ils", "Iterated local search by first improvement (Lourenco, Martin, Stutzle 2003)", search_first_ils};
}

}  // namespace tl::tune
