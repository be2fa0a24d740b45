// Crossover of configurations.
#include "core/tune/search/crossover.h"

#include <algorithm>

namespace tl::tune {

std::pair<int64_t, int64_t> crossed(Run& run, int64_t a, int64_t b, Crossover how) {
  const Landscape& landscape = run.landscape();
  const auto dims = static_cast<int64_t>(landscape.dims());
  // Parameters [from, to) are exchanged.
  int64_t from = 0, to = dims;
  if (how == Crossover::one_point) from = dims > 1 ? 1 + run.random().below(dims - 1) : 0;
  if (how == Crossover::two_point) {
    from = run.random().below(dims + 1);
    to = run.random().below(dims + 1);
    if (from > to) std::swap(from, to);
  }
  int64_t first = a, second = b;
  for (int64_t i = from; i < to; ++i) {
    if (how == Crossover::uniform && !run.random().happens(0.5)) continue;
    const auto dim = static_cast<std::size_t>(i);
    first = landscape.with(first, dim, landscape.coordinate(b, dim));
    second = landscape.with(second, dim, landscape.coordinate(a, dim));
  }
  return {first, second};
}

int64_t distance(const Landscape& landscape, int64_t a, int64_t b) {
  int64_t count = 0;
  for (std::size_t i = 0; i < landscape.dims(); ++i)
    count += landscape.coordinate(a, i) != landscape.coordinate(b, i) ? 1 : 0;
  return count;
}

}  // namespace tl::tune
