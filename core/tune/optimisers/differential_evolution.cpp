// Differential evolution on the unit cube.
#include <algorithm>
#include <cmath>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/reals.h"
#include "core/tune/statistics.h"

namespace tl::tune {
namespace {

enum class Strategy { best1bin, best2bin, best1exp };

struct Population {
  std::vector<RealPoint> x;
  std::vector<double> score;
  [[nodiscard]] std::size_t best() const {
    return static_cast<std::size_t>(std::min_element(score.begin(), score.end()) - score.begin());
  }
};

// Latin hypercube: in each variable one member in each of as many equal parts as there are members.
Population first_population(Run& run, std::size_t size) {
  const std::size_t dims = run.landscape().dims();
  Population p;
  p.x.assign(size, RealPoint(dims));
  for (std::size_t d = 0; d < dims; ++d) {
    std::vector<std::size_t> parts(size);
    for (std::size_t i = 0; i < size; ++i) parts[i] = i;
    run.random().shuffle(parts);
    for (std::size_t i = 0; i < size; ++i)
      p.x[i][d] = (static_cast<double>(parts[i]) + run.random().uniform()) / static_cast<double>(size);
  }
  for (const RealPoint& x : p.x) p.score.push_back(run.finite(cell_at(run.landscape(), x)));
  return p;
}

// The best member plus scaled differences of others.
RealPoint mutant(Run& run, const Population& p, std::size_t target, Strategy strategy, double scale) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < p.x.size(); ++i)
    if (i != target) others.push_back(i);
  run.random().shuffle(others);
  RealPoint x = p.x[p.best()];
  for (std::size_t d = 0; d < x.size(); ++d) {
    x[d] += scale * (p.x[others[0]][d] - p.x[others[1]][d]);
    if (strategy == Strategy::best2bin) x[d] += scale * (p.x[others[2]][d] - p.x[others[3]][d]);
  }
  return x;
}

// The member with some of the mutant's variables; at least one. Outside of the cube a variable is drawn again.
RealPoint trial_of(Run& run, const RealPoint& member, const RealPoint& changed, Strategy strategy, double rate) {
  Random& random = run.random();
  RealPoint x = member;
  const auto dims = static_cast<int64_t>(x.size());
  const int64_t first = random.below(dims);
  if (strategy == Strategy::best1exp) {
    for (int64_t i = 0; i < dims; ++i) {
      const auto d = static_cast<std::size_t>((first + i) % dims);
      x[d] = changed[d];
      if (!random.happens(rate)) break;
    }
  } else {
    for (int64_t i = 0; i < dims; ++i)
      if (i == first || random.happens(rate)) x[static_cast<std::size_t>(i)] = changed[static_cast<std::size_t>(i)];
  }
  for (double& v : x)
    if (v < 0 || v > 1) v = random.uniform();
  return x;
}

// Whether the scores differ by no more than a hundredth, which ends a search. A population that failed altogether goes
// on.
bool has_converged(const Population& p) {
  const Sample s = sample_of(p.score);
  return p.score[p.best()] < failed_for_arithmetic && s.sd <= 0.01 * std::abs(s.mean);
}

void search_differential(Run& run) {
  using enum Strategy;
  constexpr int most_generations = 111;
  const auto factor = budget_row<std::size_t>(run.budget(), {1, 2, 2, 4, 8, 16, 32});
  const auto strategy =
      budget_row<Strategy>(run.budget(), {best1bin, best1bin, best1bin, best1bin, best2bin, best1exp, best1exp});
  const auto rate = budget_row<double>(run.budget(), {.5, .7, .7, .7, .7, .7, .7});
  Population p = first_population(run, std::max<std::size_t>(5, factor * run.landscape().dims()));
  for (int generation = 0; generation < most_generations && !has_converged(p); ++generation) {
    const double scale = run.random().uniform(.2, .7);
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      RealPoint x = trial_of(run, p.x[i], mutant(run, p, i, strategy, scale), strategy, rate);
      const double score = run.finite(cell_at(run.landscape(), x));
      if (score > p.score[i]) continue;
      p.x[i] = std::move(x);
      p.score[i] = score;
    }
  }
}

}  // namespace

Optimiser optimiser_differential_evolution() {
  return {"differential_evolution", "Differential evolution (Storn, Price 1997)", search_differential, true, true};
}

}  // namespace tl::tune
