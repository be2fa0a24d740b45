// Basin hopping: random steps between local minima, accepted by Metropolis's rule.
#include <algorithm>
#include <cmath>

#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/budget_row.h"
#include "core/tune/search/reals.h"

namespace tl::tune {
namespace {

void search_basins(Run& run) {
  using enum LocalMethod;
  constexpr double longest = .5;  // step in each variable
  const auto method =
      budget_row<LocalMethod>(run.budget(), {direction_set, cobyla, cobyla, cobyla, cobyla, slsqp, slsqp});
  const auto temperature = budget_row<double>(run.budget(), {.1, .1, .1, .1, .1, 1, 1});
  // As in the published settings: steps may leave the cube, except where the method needs bounds for its differences.
  const auto domain = budget_row<Domain>(run.budget(), {Domain::space, Domain::space, Domain::space, Domain::space,
                                                        Domain::space, Domain::cube, Domain::cube});
  RealMinimum at = minimise_locally(run, random_point(run), method, domain);
  for (;;) {
    RealPoint x = at.x;
    for (double& v : x) v += run.random().uniform(-longest, longest);
    RealMinimum next = minimise_locally(run, x, method, domain);
    if (next.score <= at.score || run.random().happens(std::exp((at.score - next.score) / temperature)))
      at = std::move(next);
  }
}

}  // namespace

Optimiser optimiser_basin_hopping() {
  return {"basin_hopping", "Basin hopping (Wales, Doye 1997), local minima by NLopt", search_basins, true, true};
}

}  // namespace tl::tune
