// Tabu search by first improvement.
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/tabu.h"

namespace tl::tune {

Optimiser optimiser_first_tabu() {
  return {"first_tabu", "Tabu search by first improvement (Glover 1989)", [](Run& run) {
            const auto length = budget_row<std::size_t>(run.budget(), {4, 4, 2000, 2000, 2000, 2000, 2000});
            search_with_tabu(run, TabuStep::first, length);
          }};
}

}  // namespace tl::tune
