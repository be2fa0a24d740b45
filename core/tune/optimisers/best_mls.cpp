// Multi-start local search by best improvement: climbs from random configurations.
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/climb.h"

namespace tl::tune {

Optimiser optimiser_best_mls() {
  return {"best_mls", "Multi-start local search by best improvement", [](Run& run) {
            for (;;) climb_best(run, run.random_cell(), Neighbourhood::hamming);
          }};
}

}  // namespace tl::tune
