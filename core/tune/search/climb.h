// Climbs: from a configuration to one without better neighbours.
#pragma once

#include "core/tune/search/run.h"

namespace tl::tune {

// What follows a gain in a climb by first improvement.
enum class AfterGain {
  restart,  // the neighbours of the new configuration, in a new random order
  goes_on,  // the rest of the parameters, on the new configuration; the next round begins when all had their chance
};

struct Climbed {
  int64_t cell;
  double score;
};

// Looks at the neighbours in random order and takes each gain at once.
Climbed climb_first(Run& run, int64_t cell, Neighbourhood kind, AfterGain after);
// Looks at all neighbours and takes the best, while that is a gain.
Climbed climb_best(Run& run, int64_t cell, Neighbourhood kind);

}  // namespace tl::tune
