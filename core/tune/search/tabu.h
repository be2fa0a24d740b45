// Tabu search: goes to the best neighbour even where that is worse, but not back to where it was.
#pragma once

#include <cstddef>

#include "core/tune/search/run.h"

namespace tl::tune {

enum class TabuStep {
  first,  // the first neighbour that is better, in random order; the best one if none is
  best,   // the best neighbour
};

// Glover 1989. Never goes to the last `length` configurations where it was. Starts again from a random configuration
// where all neighbours are forbidden. Ends with the run.
void search_with_tabu(Run& run, TabuStep step, std::size_t length);

}  // namespace tl::tune
