// ScoreSource: what gives the score of a choice of values: a program that is run, or a worker that is asked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/tune/program/search_axis.h"

namespace tl::tune {

// What one call gave: a finite score, or why there is none.
struct CallOutcome {
  std::optional<double> score;
  std::string failure;  // "exit code 3", "no end within 5 s", "the score is not a finite number: nan"
  double seconds = 0;
};

// The score that a line is: one number and nothing else. Otherwise the outcome says what stands there in its place.
CallOutcome outcome_of_line(std::string_view line);

class ScoreSource {
 public:
  virtual ~ScoreSource() = default;
  ScoreSource() = default;
  ScoreSource(const ScoreSource&) = delete;
  ScoreSource& operator=(const ScoreSource&) = delete;

  // One call, which may take long. An error where no further call can work either: the program is not there, the worker
  // is dead, cancelled.
  virtual Result<CallOutcome> call(const std::vector<SearchAxis>& axes, const AxisPoint& point) = 0;
  // Two sources with the same words are taken for the same program: its command line, or the worker's address.
  [[nodiscard]] virtual std::vector<std::string> identity() const = 0;
};

}  // namespace tl::tune
