// Counts evaluations and ends runs.
#include "core/tune/search/run.h"

#include <algorithm>

namespace tl::tune {
namespace {

// A search that finds nothing new in so many evaluations for each one of its budget, and not fewer than these, has
// converged.
constexpr int64_t idle_factor = 10, fewest_idle = 2000;
constexpr int64_t between_looks = 1024;  // evaluations between two looks at the cancel token

}  // namespace

Run::Run(const Landscape& landscape, Replay replay, int64_t budget, Random random, CancelToken cancel)
    : landscape_(landscape),
      replay_(replay),
      budget_(budget),
      random_(random),
      cancel_(std::move(cancel)),
      known_(replay == Replay::exact ? static_cast<std::size_t>(landscape.cells()) : 0) {}

double Run::draw(int64_t cell) {
  const double score = landscape_.score(cell);
  if (replay_ == Replay::exact || !(score < failed_score)) return score;
  const std::vector<double>& timings = landscape_.timings(cell);
  return timings.empty() ? score : random_.one_of(timings);
}

double Run::operator()(int64_t cell) {
  if (++idle_ % between_looks == 0) cancel_.check();
  if (idle_ > std::max(fewest_idle, idle_factor * budget_)) throw RunEnded{};
  if (!landscape_.has(cell)) return failed_score;
  const auto at = static_cast<std::size_t>(cell);
  if (replay_ == Replay::exact && known_[at]) return landscape_.score(cell);
  if (evaluations_ >= budget_) throw RunEnded{};
  ++evaluations_;
  idle_ = 0;
  if (evaluations_ % between_looks == 0) cancel_.check();
  if (replay_ == Replay::exact) known_[at] = true;
  const double value = draw(cell);
  if (value < best_) {
    best_ = value;
    winner_ = cell;
  }
  const bool is_over = replay_ == Replay::exact && best_ <= landscape_.best();
  if (is_over) throw RunEnded{};
  return value;
}

double Run::finite(int64_t cell) { return std::min((*this)(cell), failed_for_arithmetic); }

int64_t Run::random_cell() { return random_.one_of(landscape_.members()); }

int64_t Run::mutated(int64_t cell, int64_t changes) {
  constexpr int most_tries = 100;  // where most combinations are not in the space
  for (int64_t done = 0; done < changes; ++done)
    for (int tries = 0; tries < most_tries; ++tries) {
      const auto dim = static_cast<std::size_t>(random_.below(static_cast<int64_t>(landscape_.dims())));
      const int64_t size = landscape_.sizes()[dim];
      if (size < 2) continue;
      const int64_t step = 1 + random_.below(size - 1), here = landscape_.coordinate(cell, dim);
      const int64_t other = landscape_.with(cell, dim, (here + step) % size);
      if (!landscape_.has(other)) continue;
      cell = other;
      break;
    }
  return cell;
}

}  // namespace tl::tune
