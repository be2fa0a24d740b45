// Particle swarm, in which each particle follows the best of those next to it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/reals.h"

namespace tl::tune {
namespace {

constexpr double inertia = .5, to_own_best = 2, to_best_near = 1;

struct Particle {
  RealPoint x, velocity, best;
  double score = failed_for_arithmetic;
};

double squared_distance(const RealPoint& a, const RealPoint& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// The best of the `count` particles that are nearest to this one, itself among them.
std::size_t best_near(const std::vector<Particle>& swarm, std::size_t one, std::size_t count) {
  std::vector<std::size_t> order(swarm.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> apart(swarm.size());
  for (std::size_t i = 0; i < swarm.size(); ++i) apart[i] = squared_distance(swarm[i].x, swarm[one].x);
  count = std::min(count, swarm.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) { return apart[a] < apart[b]; });
  std::size_t best = order[0];
  for (std::size_t i = 1; i < count; ++i)
    if (swarm[order[i]].score < swarm[best].score) best = order[i];
  return best;
}

void search_swarm(Run& run) {
  Random& random = run.random();
  const auto size = budget_row<std::size_t>(run.budget(), {25, 25, 10, 20, 40, 80, 160});
  const auto near = budget_row<std::size_t>(run.budget(), {5, 5, 5, 10, 20, 26, 32});
  std::vector<Particle> swarm(size);
  for (Particle& p : swarm) {
    p.x = p.best = random_point(run);
    p.velocity = random_point(run);
  }
  for (;;) {
    for (Particle& p : swarm) {
      const double score = run.finite(cell_at(run.landscape(), p.x));
      if (score >= p.score) continue;
      p.score = score;
      p.best = p.x;
    }
    std::vector<RealPoint> leaders;
    for (std::size_t i = 0; i < size; ++i) leaders.push_back(swarm[best_near(swarm, i, near)].best);
    for (std::size_t i = 0; i < size; ++i) {
      Particle& p = swarm[i];
      for (std::size_t d = 0; d < p.x.size(); ++d) {
        p.velocity[d] = inertia * p.velocity[d] + to_own_best * random.uniform() * (p.best[d] - p.x[d]) +
                        to_best_near * random.uniform() * (leaders[i][d] - p.x[d]);
        p.x[d] += p.velocity[d];
        p.x[d] -= std::floor(p.x[d]);  // periodic
      }
    }
  }
}

}  // namespace

Optimiser optimiser_particle_swarm() {
  return {"particle_swarm", "Particle swarm with local leaders (Kennedy, Eberhart 1995)", search_swarm, true, true};
}

}  // namespace tl::tune
