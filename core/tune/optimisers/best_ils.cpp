// Iterated local search by best improvement.
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/iterated.h"

namespace tl::tune {
namespace {

void search_best_ils(Run& run) {
  using enum Neighbourhood;
  IteratedSettings s;
  s.takes_best = true;
  s.walk = budget_row<double>(run.budget(), {1, 1, 1, 1, 1, .05, .05});
  s.neighbours =
      budget_row<Neighbourhood>(run.budget(), {bounded, bounded, hamming, hamming, hamming, bounded, bounded});
  search_iterated(run, s);
}

}  // namespace

Optimiser optimiser_best_ils() {
  return {"best_ils", "Iterated local search by best improvement (Lourenco, Martin, Stutzle 2003)", search_best_ils};
}

}  // namespace tl::tune
