// Iterated local search: climbs, is displaced, climbs again.
#pragma once

#include <cstdint>

#include "core/tune/search/climb.h"

namespace tl::tune {

struct IteratedSettings {
  double walk = 1;        // random changes between two climbs, as a share of all parameters' values
  int64_t patience = 25;  // climbs without a gain before it starts again from a random configuration
  Neighbourhood neighbours = Neighbourhood::hamming;
  bool takes_best = false;  // climbs by best improvement, else by first
  AfterGain after = AfterGain::goes_on;
};

// Lourenco, Martin, Stutzle 2003. Ends with the run.
void search_iterated(Run& run, const IteratedSettings& settings);

}  // namespace tl::tune
