// search_program: finds the values with which a program gives the best score.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/tune/optimisers/optimiser.h"
#include "core/tune/program/call_journal.h"
#include "core/tune/program/score_source.h"
#include "core/tune/program/search_judge.h"

namespace tl::tune {

enum class Direction { minimise, maximise };

// When a search ends before its budget is spent: whichever holds first. Seconds and failures count calls from the
// journal as well, so that a search that was interrupted ends where it would have ended.
struct StopConditions {
  std::optional<double> seconds;    // spent in calls
  std::optional<int64_t> failures;  // calls that failed
  std::optional<double> score;      // a score at least as good
};

struct ProgramSearch {
  std::vector<SearchAxis> axes;
  int64_t budget = 0;  // calls, >= 1
  uint64_t seed = 1;
  std::string optimiser = "auto";
  Direction direction = Direction::minimise;
  StopConditions stop;
  std::optional<double> timeout;  // seconds of a call: only part of identity()

  // What makes two searches the same one: a journal of another one is not continued.
  [[nodiscard]] std::vector<std::string> identity(const ScoreSource& source) const;
};

struct ProgramSearchResult {
  SearchEstimate estimate;  // scores as the program gives them, also where more is better
  std::vector<JournalCall> calls;
  std::size_t resumed = 0;  // of them, those of an earlier run
  std::string optimiser;    // its own name, also of auto
  std::string stopped;      // why: "the budget is spent"
  JournalCall best_call;    // that with the best mean score of its values
};

// The optimiser by name; "auto": surrogate up to 250 calls, beyond it differential evolution where there are real axes
// and first_ils otherwise. Invalid: an unknown name, one that cannot search such a space (with all that can).
Result<const Optimiser*> search_optimiser(const std::string& name, const std::vector<SearchAxis>& axes, int64_t budget);

// Calls `source` until the budget is spent or nothing is left to do. Without real axes a fifth of the budget, and what
// the optimiser leaves of it, goes into repeated calls of the best choices, until their order is clear. `progress` is
// called after each call with all calls so far. Invalid: all calls failed (with the first reason); the journal is not
// that of these calls. Whatever `source` and `journal` refuse; cancelled.
Result<ProgramSearchResult> search_program(const ProgramSearch& search, ScoreSource& source, CallJournal& journal,
                                           const CancelToken& cancel,
                                           const std::function<void(const std::vector<JournalCall>& calls)>& progress);

// The result as JSON: "best" (values, uncertainty, verdict, score), "evaluations", "calls".
std::string search_record(const ProgramSearch& search, const ScoreSource& source, const ProgramSearchResult& result);

}  // namespace tl::tune
