// Dual annealing: generalised simulated annealing with a local search after each gain.
#include <algorithm>
#include <cmath>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/reals.h"

namespace tl::tune {
namespace {

constexpr double visiting = 2.62, accepting = -5, first_temperature = 5230, restart_ratio = 2e-5;
constexpr int most_steps = 1000;

// A step of the distribution of Tsallis and Stariolo (Physica A 233, 1996), equation 16, as a quotient of a normal
// number and a power of another; its tails grow with the temperature.
double visiting_step(Random& random, double temperature) {
  constexpr double q = visiting, tail_limit = 1e8, pi = 3.14159265358979323846;
  const double factor1 = std::exp(std::log(temperature) / (q - 1));
  const double factor2 = std::exp((4 - q) * std::log(q - 1));
  const double factor3 = std::exp((2 - q) * std::log(2.0) / (q - 1));
  const double factor4 = std::sqrt(pi) * factor1 * factor2 / (factor3 * (3 - q));
  const double factor5 = 1 / (q - 1) - 0.5;
  const double d1 = 2 - factor5;
  const double factor6 = pi * (1 - factor5) / std::sin(pi * (1 - factor5)) / std::exp(std::lgamma(d1));
  const double sigma = std::exp(-(q - 1) * std::log(factor6 / factor4) / (3 - q));
  const double x = sigma * random.normal(), y = random.normal();
  const double step = x / std::exp((q - 1) * std::log(std::abs(y)) / (3 - q));
  return std::abs(step) > tail_limit ? std::copysign(tail_limit * random.uniform(), step) : step;
}

// Into [0, 1), periodically.
double wrapped(double v) { return v - std::floor(v); }

bool is_accepted(Random& random, double from, double to, double temperature) {
  if (to <= from) return true;
  const double base = 1 - (1 - accepting) * (to - from) / temperature;
  return base > 0 && random.happens(std::exp(std::log(base) / (1 - accepting)));
}

void anneal(Run& run, LocalMethod method) {
  const Landscape& landscape = run.landscape();
  Random& random = run.random();
  const std::size_t dims = landscape.dims();
  RealMinimum at{random_point(run), 0};
  at.score = run.finite(cell_at(landscape, at.x));
  RealMinimum best = at;
  const double scale = std::exp((visiting - 1) * std::log(2.0)) - 1;
  for (int step = 0; step < most_steps; ++step) {
    const double temperature =
        first_temperature * scale / (std::exp((visiting - 1) * std::log(static_cast<double>(step) + 2)) - 1);
    if (temperature < first_temperature * restart_ratio) return;
    bool has_gained = step == 0;
    // First all variables at once, as often as there are some, then one after the other.
    for (std::size_t j = 0; j < 2 * dims; ++j) {
      RealPoint x = at.x;
      if (j < dims) {
        for (double& v : x) v = wrapped(v + visiting_step(random, temperature));
      } else {
        x[j - dims] = wrapped(x[j - dims] + visiting_step(random, temperature));
      }
      const double score = run.finite(cell_at(landscape, x));
      if (is_accepted(random, at.score, score, temperature / (step + 1))) at = {std::move(x), score};
      if (at.score >= best.score) continue;
      best = at;
      has_gained = true;
    }
    if (!has_gained) continue;
    RealMinimum local = minimise_locally(run, best.x, method, Domain::cube);
    if (local.score < best.score) at = best = std::move(local);
  }
}

void search_dual_annealing(Run& run) {
  using enum LocalMethod;
  const auto method = budget_row<LocalMethod>(
      run.budget(), {cobyla, direction_set, direction_set, direction_set, direction_set, direction_set, direction_set});
  for (;;) anneal(run, method);
}

}  // namespace

Optimiser optimiser_dual_annealing() {
  return {"dual_annealing", "Generalised simulated annealing (Xiang et al. 1997), local minima by NLopt",
          search_dual_annealing, true, true};
}

}  // namespace tl::tune
