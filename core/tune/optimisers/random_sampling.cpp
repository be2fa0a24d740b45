// Random sampling: configurations in random order, none twice before all were there.
#include "core/tune/optimisers/optimiser.h"

namespace tl::tune {
namespace {

void search_at_random(Run& run) {
  while (run.landscape().members().empty()) run(run.random_cell());  // too many to be listed
  for (;;) {
    std::vector<int64_t> order = run.landscape().members();
    run.random().shuffle(order);
    for (const int64_t cell : order) run(cell);
  }
}

}  // namespace

Optimiser optimiser_random_sampling() {
  return {"random_sampling", "Random sampling without repetition", search_at_random, true, true};
}

}  // namespace tl::tune
