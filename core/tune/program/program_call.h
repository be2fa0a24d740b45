// ProgramSource: runs a program for each score and reads the last line that it prints.
#pragma once

#include <chrono>
#include <optional>

#include "core/base/cancel.h"
#include "core/tune/program/command_words.h"
#include "core/tune/program/score_source.h"

namespace tl::tune {

// Starts words[0], found in PATH, with the other words as arguments; no shell. It leads a process group of its own,
// which is ended with it, after `timeout` and when cancelled: what it started does not outlive it. Its standard input
// is empty, its standard error is passed on only in the text of a failure. Unavailable if there is no such program; io
// if it cannot be started; cancelled.
Result<CallOutcome> call_program(const std::vector<std::string>& words,
                                 const std::optional<std::chrono::duration<double>>& timeout,
                                 const CancelToken& cancel);

class ProgramSource final : public ScoreSource {
 public:
  ProgramSource(CommandWords words, std::optional<std::chrono::duration<double>> timeout, CancelToken cancel)
      : words_(std::move(words)), timeout_(timeout), cancel_(std::move(cancel)) {}
  Result<CallOutcome> call(const std::vector<SearchAxis>& axes, const AxisPoint& point) override {
    return call_program(words_.filled(axes, point), timeout_, cancel_);
  }
  [[nodiscard]] std::vector<std::string> identity() const override { return words_.words(); }

 private:
  CommandWords words_;
  std::optional<std::chrono::duration<double>> timeout_;
  CancelToken cancel_;
};

}  // namespace tl::tune
