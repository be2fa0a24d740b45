// Genetic local search: every configuration of the population is climbed to a local minimum.
#include <algorithm>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/climb.h"
#include "core/tune/search/crossover.h"

namespace tl::tune {
namespace {

constexpr int64_t tournament = 150;  // members among which the nearest one to a child is sought

Climbed climbed(Run& run, int64_t cell) { return climb_first(run, cell, Neighbourhood::hamming, AfterGain::restart); }

// Restricted tournament (Harik 1995): a child competes with the member most like it.
bool compete(Run& run, std::vector<Climbed>& population, const Climbed& child) {
  const auto size = static_cast<int64_t>(population.size());
  Climbed* nearest = nullptr;
  int64_t least = 0;
  for (int64_t i = 0; i < std::min(tournament, size); ++i) {
    Climbed& one = size <= tournament ? population[static_cast<std::size_t>(i)]
                                      : population[static_cast<std::size_t>(run.random().below(size))];
    const int64_t apart = distance(run.landscape(), one.cell, child.cell);
    if (nearest != nullptr && apart >= least) continue;
    nearest = &one;
    least = apart;
  }
  if (!(child.score < nearest->score)) return false;
  *nearest = child;
  return true;
}

void search_genetic_local(Run& run) {
  using enum Crossover;
  constexpr int patience = 10;  // generations without a change
  const auto size = budget_row<std::size_t>(run.budget(), {2, 2, 4, 16, 20, 40, 80});
  const auto how =
      budget_row<Crossover>(run.budget(), {uniform, uniform, two_point, two_point, uniform, uniform, uniform});
  for (;;) {
    std::vector<Climbed> population;
    while (population.size() < size) population.push_back(climbed(run, run.random_cell()));
    for (int unchanged = 0; unchanged < patience; ++unchanged) {
      run.random().shuffle(population);
      std::vector<Climbed> children;
      for (std::size_t i = 0; i + 1 < population.size(); i += 2) {
        const auto pair = crossed(run, population[i].cell, population[i + 1].cell, how);
        for (const int64_t cell : {pair.first, pair.second})
          if (run.landscape().has(cell)) children.push_back(climbed(run, cell));
      }
      for (const Climbed& child : children)
        if (compete(run, population, child)) unchanged = -1;
    }
  }
}

}  // namespace

Optimiser optimiser_genetic_local_search() {
  return {"genetic_local_search", "Genetic local search with restricted tournaments (Harik 1995)",
          search_genetic_local};
}

}  // namespace tl::tune
