// Multi-start local search by first improvement: climbs from random configurations.
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/climb.h"

namespace tl::tune {

Optimiser optimiser_first_mls() {
  return {"first_mls", "Multi-start local search by first improvement", [](Run& run) {
            for (;;) climb_first(run, run.random_cell(), Neighbourhood::hamming, AfterGain::restart);
          }};
}

}  // namespace tl::tune
