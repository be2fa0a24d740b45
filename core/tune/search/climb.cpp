// Climbs by first and by best improvement.
#include "core/tune/search/climb.h"

#include <numeric>

namespace tl::tune {
namespace {

// One round over the parameters in random order: each tries its values in random order on what was found so far.
bool round_of_parameters(Run& run, Climbed& at, Neighbourhood kind) {
  const Landscape& landscape = run.landscape();
  std::vector<std::size_t> dims(landscape.dims());
  std::iota(dims.begin(), dims.end(), std::size_t{0});
  run.random().shuffle(dims);
  std::vector<int64_t> all, of_dim;
  bool gained = false;
  for (const std::size_t dim : dims) {
    neighbours_of(landscape, at.cell, kind, all);
    of_dim.clear();
    for (const int64_t cell : all)
      if (landscape.coordinate(cell, dim) != landscape.coordinate(at.cell, dim)) of_dim.push_back(cell);
    run.random().shuffle(of_dim);
    for (const int64_t cell : of_dim) {
      const double score = run(cell);
      if (!(score < at.score)) continue;
      at = {cell, score};
      gained = true;
    }
  }
  return gained;
}

bool first_gain(Run& run, Climbed& at, Neighbourhood kind) {
  std::vector<int64_t> all;
  neighbours_of(run.landscape(), at.cell, kind, all);
  run.random().shuffle(all);
  for (const int64_t cell : all) {
    const double score = run(cell);
    if (!(score < at.score)) continue;
    at = {cell, score};
    return true;
  }
  return false;
}

}  // namespace

Climbed climb_first(Run& run, int64_t cell, Neighbourhood kind, AfterGain after) {
  Climbed at{cell, run(cell)};
  while (after == AfterGain::restart ? first_gain(run, at, kind) : round_of_parameters(run, at, kind)) {
  }
  return at;
}

Climbed climb_best(Run& run, int64_t cell, Neighbourhood kind) {
  Climbed at{cell, run(cell)};
  std::vector<int64_t> all;
  for (;;) {
    neighbours_of(run.landscape(), at.cell, kind, all);
    run.random().shuffle(all);  // of equally good ones any may be first
    Climbed best = at;
    for (const int64_t other : all)
      if (const double score = run(other); score < best.score) best = {other, score};
    if (best.cell == at.cell) return at;
    at = best;
  }
}

}  // namespace tl::tune
