// Replay: optimisers on a space that was measured completely, many runs each, as curves over the budget.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/search/run.h"

namespace tl::tune {

// One run: the least score of the space over that of the winner (0 if all failed), and how it was reached.
struct RunResult {
  double fraction = 0;
  bool found_optimum = false;
  int64_t evaluations = 0;
};
// Run number `number` of an optimiser; the same for the same seed, whatever runs before or next to it. Throws Failure
// when cancelled.
RunResult replay_once(const Landscape& landscape, const Optimiser& optimiser, Replay replay, int64_t budget,
                      uint64_t seed, int64_t number, const CancelToken& cancel = {});

// A row of the table: many runs of one optimiser with one budget.
struct CurvePoint {
  std::string space, optimiser;
  int64_t budget = 0, runs = 0;
  double mean_fraction = 0, sd_fraction = 0;  // sd with runs - 1
  double success = 0;                         // share of runs that found the optimum
  double mean_evaluations = 0;
};

struct ReplaySettings {
  std::vector<const Optimiser*> optimisers;
  std::vector<int64_t> budgets;  // each >= 1
  int64_t runs = 50;
  uint64_t seed = 1;
  Replay replay = Replay::exact;
};

// All rows, by optimiser, then budget. `progress` is called after each row with rows done and in all. Invalid: noisy
// without stored timings; cancelled.
Result<std::vector<CurvePoint>> replay(const Landscape& landscape, const std::string& space,
                                       const ReplaySettings& settings, const CancelToken& cancel,
                                       const std::function<void(int64_t done, int64_t all)>& progress = {});

// The table as CSV with the columns space, optimiser, budget, runs, mean_fraction, sd_fraction, success,
// mean_evaluations.
std::string curves_csv(const std::vector<CurvePoint>& points);
// The same back. Invalid, with the line: other columns, numbers that are none, shares outside of 0 to 1, fewer than one
// run. `file` names it.
Result<std::vector<CurvePoint>> parse_curves(const std::string& text, const std::string& file);

}  // namespace tl::tune
