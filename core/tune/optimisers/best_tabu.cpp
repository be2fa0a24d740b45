// Tabu search by best improvement.
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/tabu.h"

namespace tl::tune {

Optimiser optimiser_best_tabu() {
  return {"best_tabu", "Tabu search by best improvement (Glover 1989)",
          [](Run& run) { search_with_tabu(run, TabuStep::best, 2000); }};
}

}  // namespace tl::tune
