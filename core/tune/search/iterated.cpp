// Iterated local search.
#include "core/tune/search/iterated.h"

#include <algorithm>
#include <cmath>

namespace tl::tune {

void search_iterated(Run& run, const IteratedSettings& settings) {
  const auto climb = [&](int64_t cell) {
    return settings.takes_best ? climb_best(run, cell, settings.neighbours)
                               : climb_first(run, cell, settings.neighbours, settings.after);
  };
  const int64_t changes =
      std::max<int64_t>(1, std::llround(settings.walk * static_cast<double>(run.landscape().value_count())));
  for (;;) {
    Climbed best = climb(run.random_cell());
    for (int64_t without_gain = 0; without_gain < settings.patience;) {
      const Climbed next = climb(run.mutated(best.cell, changes));
      without_gain = next.score < best.score ? 0 : without_gain + 1;
      if (next.score < best.score) best = next;
    }
  }
}

}  // namespace tl::tune
