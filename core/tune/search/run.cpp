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

Run::Run(const Landscape& landscape, Measure measure, int64_t budget, Random random, CancelToken cancel)
    : landscape_(landscape),
      replay_(Replay::exact),
      budget_(budget),
      random_(random),
      cancel_(std::move(cancel)),
      measure_(std::move(measure)) {}

bool Run::knows(int64_t cell) const {
  if (measure_) return measured_.count(cell) != 0;
  return replay_ == Replay::exact && known_[static_cast<std::size_t>(cell)];
}

void Run::note(int64_t cell, double value) {
  if (!(value < best_)) return;
  best_ = value;
  winner_ = cell;
}

double Run::measured(int64_t cell) {
  if (const auto found = measured_.find(cell); found != measured_.end()) return found->second;
  if (evaluations_ >= budget_) throw RunEnded{};
  cancel_.check();
  const double value = measure_(cell);
  ++evaluations_;
  idle_ = 0;
  measured_.emplace(cell, value);
  note(cell, value);
  if (evaluations_ >= landscape_.cells()) throw RunEnded{};
  return value;
}

double Run::draw(int64_t cell) {
  const double score = landscape_.score(cell);
  if (replay_ == Replay::exact || !(score < failed_score)) return score;
  const std::vector<double>& timings = landscape_.timings(cell);
  return timings.empty() ? score : random_.one_of(timings);
}

double Run::operator()(int64_t cell) {
  if (++idle_ % between_looks == 0) cancel_.check();
  if (idle_ > std::max(fewest_idle, idle_factor * budget_)) throw RunEnded{};
  if (measure_) return measured(cell);
  if (!landscape_.has(cell)) return failed_score;
  const auto at = static_cast<std::size_t>(cell);
  if (replay_ == Replay::exact && known_[at]) return landscape_.score(cell);
  if (evaluations_ >= budget_) throw RunEnded{};
  ++evaluations_;
  idle_ = 0;
  if (evaluations_ % between_looks == 0) cancel_.check();
  if (replay_ == Replay::exact) known_[at] = true;
  const double value = draw(cell);
  note(cell, value);
  const bool is_over = replay_ == Replay::exact && best_ <= landscape_.best();
  if (is_over) throw RunEnded{};
  return value;
}

double Run::finite(int64_t cell) { return std::min((*this)(cell), failed_for_arithmetic); }

int64_t Run::random_cell() {
  if (!landscape_.members().empty()) return random_.one_of(landscape_.members());
  std::vector<int64_t> coordinates;
  for (const int64_t size : landscape_.sizes()) coordinates.push_back(random_.below(size));
  return landscape_.cell_of(coordinates);
}

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
