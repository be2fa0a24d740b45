// auto: the optimiser that did best for the budget in the published comparison.
#include "core/tune/optimisers/optimiser.h"

namespace tl::tune {

Optimiser optimiser_dual_annealing();
Optimiser optimiser_first_ils();

Optimiser optimiser_automatic() {
  return {"auto", "Dual annealing up to 200 evaluations, iterated local search by first improvement for more",
          [](Run& run) {
            constexpr int64_t few = 200;
            (run.budget() <= few ? optimiser_dual_annealing() : optimiser_first_ils()).search(run);
          },
          false};
}

}  // namespace tl::tune
