// Scores by cell, and neighbours of cells.
#include "core/tune/landscape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tl::tune {

void Landscape::set_sizes(std::vector<int64_t> sizes) {
  sizes_ = std::move(sizes);
  strides_.resize(sizes_.size());
  for (std::size_t i = sizes_.size(); i-- > 0;) {
    TL_CHECK(sizes_[i] > 0 && cells_ <= std::numeric_limits<int64_t>::max() / sizes_[i], "too many combinations");
    strides_[i] = cells_;
    cells_ *= sizes_[i];
  }
}

Landscape::Landscape(std::vector<int64_t> sizes, std::vector<double> scores, std::vector<std::vector<double>> timings)
    : scores_(std::move(scores)), timings_(std::move(timings)) {
  set_sizes(std::move(sizes));
  TL_CHECK(static_cast<std::size_t>(cells_) == scores_.size(), "one score for each combination");
  for (int64_t cell = 0; cell < cells(); ++cell) {
    if (!has(cell)) continue;
    members_.push_back(cell);
    best_ = std::min(best_, score(cell));
  }
}

Result<Landscape> Landscape::of(const Space& space) {
  std::vector<int64_t> sizes;
  for (const Parameter& p : space.parameters) sizes.push_back(static_cast<int64_t>(p.values.size()));
  const auto count = static_cast<std::size_t>(space.cells());
  std::vector<double> scores(count, std::nan(""));
  const bool timed = std::any_of(space.measurements.begin(), space.measurements.end(),
                                 [](const Measurement& m) { return !m.timings.empty(); });
  std::vector<std::vector<double>> timings(timed ? count : 0);
  for (const Measurement& m : space.measurements) {
    scores[static_cast<std::size_t>(m.cell)] = m.score;
    if (timed) timings[static_cast<std::size_t>(m.cell)] = m.timings;
  }
  Landscape landscape(std::move(sizes), std::move(scores), std::move(timings));
  if (landscape.members().empty())
    return invalid("nothing was measured in this space", space.name, "Give a file with measurements");
  if (!(landscape.best() < failed_score))
    return invalid("every configuration of this space failed", space.name, "Give a file in which some did not");
  return landscape;
}

Landscape Landscape::unmeasured(std::vector<int64_t> sizes, std::vector<bool> unordered, double step) {
  Landscape landscape;
  landscape.set_sizes(std::move(sizes));
  landscape.is_measured_ = false;
  landscape.unordered_ = std::move(unordered);
  landscape.step_ = step;
  if (landscape.cells_ <= most_listed) {
    landscape.members_.resize(static_cast<std::size_t>(landscape.cells_));
    std::iota(landscape.members_.begin(), landscape.members_.end(), int64_t{0});
  }
  return landscape;
}

int64_t Landscape::value_count() const {
  int64_t count = 0;
  for (const int64_t size : sizes_) count += size;
  return count;
}

bool Landscape::has(int64_t cell) const { return !is_measured_ || !std::isnan(score(cell)); }

const std::vector<double>& Landscape::timings(int64_t cell) const {
  static const std::vector<double> none;
  return timings_.empty() ? none : timings_[static_cast<std::size_t>(cell)];
}

std::vector<int64_t> Landscape::coordinates(int64_t cell) const {
  std::vector<int64_t> found(dims());
  for (std::size_t i = 0; i < dims(); ++i) found[i] = coordinate(cell, i);
  return found;
}

int64_t Landscape::cell_of(const std::vector<int64_t>& coordinates) const {
  int64_t cell = 0;
  for (std::size_t i = 0; i < dims(); ++i) cell += coordinates[i] * strides_[i];
  return cell;
}

void neighbours_of(const Landscape& landscape, int64_t cell, Neighbourhood kind, std::vector<int64_t>& found) {
  found.clear();
  const auto add = [&](int64_t other) {
    if (landscape.has(other)) found.push_back(other);
  };
  for (std::size_t dim = 0; dim < landscape.dims(); ++dim) {
    const int64_t size = landscape.sizes()[dim], here = landscape.coordinate(cell, dim);
    if (kind == Neighbourhood::hamming) {
      for (int64_t value = 0; value < size; ++value)
        if (value != here) add(landscape.with(cell, dim, value));
      continue;
    }
    const bool wraps =
        kind == Neighbourhood::circular && size > 2;  // of two values the other one is the only neighbour
    if (here > 0 || wraps) add(landscape.with(cell, dim, here > 0 ? here - 1 : size - 1));
    if (here + 1 < size || wraps) add(landscape.with(cell, dim, here + 1 < size ? here + 1 : 0));
  }
}

}  // namespace tl::tune
