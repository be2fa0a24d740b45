// A genetic algorithm: parents and children compete in tournaments.
#include <algorithm>
#include <cmath>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/crossover.h"

namespace tl::tune {
namespace {

struct Member {
  int64_t cell;
  double score;
};

// Each of so many places goes to the best of a few random ones.
std::vector<Member> selected(Run& run, const std::vector<Member>& all, std::size_t places, int tournament) {
  std::vector<Member> winners;
  while (winners.size() < places) {
    const Member* best = &run.random().one_of(all);
    for (int i = 1; i < tournament; ++i)
      if (const Member& other = run.random().one_of(all); other.score < best->score) best = &other;
    winners.push_back(*best);
  }
  return winners;
}

bool are_alike(const std::vector<Member>& population) {
  return std::all_of(population.begin(), population.end(),
                     [&](const Member& m) { return m.cell == population.front().cell; });
}

void search_genetic(Run& run) {
  using enum Crossover;
  constexpr int patience = 20;  // generations of members that are all alike
  const auto size = budget_row<std::size_t>(run.budget(), {8, 10, 20, 40, 80, 128, 320});
  const auto tournament = budget_row<int>(run.budget(), {8, 8, 8, 8, 8, 4, 4});
  const auto how = budget_row<Crossover>(run.budget(),
                                         {one_point, one_point, one_point, one_point, one_point, two_point, two_point});
  const auto rate = budget_row<double>(run.budget(), {.02, .02, .02, .05, .05, .02, .02});
  const int64_t changes =
      std::max<int64_t>(1, static_cast<int64_t>(rate * static_cast<double>(run.landscape().value_count())));
  for (;;) {
    std::vector<Member> population;
    while (population.size() < size) {
      const int64_t cell = run.random_cell();
      population.push_back({cell, run(cell)});
    }
    for (int alike = 0; alike < patience; alike = are_alike(population) ? alike + 1 : 0) {
      run.random().shuffle(population);
      std::vector<Member> all = population;
      for (std::size_t i = 0; i + 1 < population.size(); i += 2) {
        const auto pair = crossed(run, population[i].cell, population[i + 1].cell, how);
        for (const int64_t child : {pair.first, pair.second}) {
          const int64_t cell = run.landscape().has(child) ? run.mutated(child, changes) : child;
          all.push_back({cell, run(cell)});
        }
      }
      population = selected(run, all, size, tournament);
    }
  }
}

}  // namespace

Optimiser optimiser_genetic_algorithm() {
  return {"genetic_algorithm", "Genetic algorithm with tournaments (Goldberg 1989)", search_genetic};
}

}  // namespace tl::tune
