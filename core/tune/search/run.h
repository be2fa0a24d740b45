// Run: one search in a landscape: counts evaluations, keeps the best, and ends when budget or optimum is reached.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/cancel.h"
#include "core/tune/landscape.h"
#include "core/tune/random.h"

namespace tl::tune {

// How replayed measurements are drawn and counted.
enum class Replay {
  exact,  // each configuration has its score; only the first evaluation of one counts; a run ends at the optimum
  noisy,  // each evaluation draws one of the stored timings, and counts; only the budget ends a run
};

// Thrown by Run when the search is over; the function that started it catches it. No error.
struct RunEnded {};

// What optimisers take for the score of a failed configuration where they compute with scores: far above all times
// [ms].
inline constexpr double failed_for_arithmetic = 1e10;

// Not from several threads at a time.
class Run {
 public:
  Run(const Landscape& landscape, Replay replay, int64_t budget, Random random, CancelToken cancel = {});

  // Measures an unmeasured landscape: `measure` gives the score of a configuration, failed_score if it failed, and is
  // called once for each; what it throws passes through. The run ends with its budget, or when all were measured.
  using Measure = std::function<double(int64_t cell)>;
  Run(const Landscape& landscape, Measure measure, int64_t budget, Random random, CancelToken cancel = {});

  [[nodiscard]] const Landscape& landscape() const { return landscape_; }
  [[nodiscard]] int64_t budget() const { return budget_; }
  Random& random() { return random_; }

  // The score of a configuration; failed_score if it failed or the space does not have it (which is not counted).
  // Throws RunEnded once the budget is spent, at the optimum (exact), and after many evaluations without a new
  // configuration. Throws Failure when cancelled.
  double operator()(int64_t cell);
  // The same, finite.
  double finite(int64_t cell);

  // Whether another evaluation of this configuration would give the same score and not count.
  [[nodiscard]] bool knows(int64_t cell) const;
  // A configuration of the space, each with the same probability.
  int64_t random_cell();
  // The configuration after so many random changes of one parameter each; stays in the space.
  int64_t mutated(int64_t cell, int64_t changes);

  [[nodiscard]] int64_t evaluations() const { return evaluations_; }
  // The configuration that gave the best value; nothing while all have failed.
  [[nodiscard]] std::optional<int64_t> winner() const { return winner_; }

 private:
  double draw(int64_t cell);
  double measured(int64_t cell);
  void note(int64_t cell, double value);

  const Landscape& landscape_;
  Replay replay_;
  int64_t budget_;
  Random random_;
  CancelToken cancel_;
  Measure measure_;                               // of an unmeasured landscape
  std::unordered_map<int64_t, double> measured_;  // what it gave
  std::vector<bool> known_;                       // of a measured one, by cell
  int64_t evaluations_ = 0, idle_ = 0;
  double best_ = failed_score;
  std::optional<int64_t> winner_;
};

}  // namespace tl::tune
