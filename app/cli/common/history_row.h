// HistoryRow: the row of the history for one piece of work of a command.
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "app/cli/common/cli.h"
#include "core/history/recorder.h"

namespace tl::cli {

// The row begins with the construction. If end() is not called (an exception), the work counts as failed.
class HistoryRow {
 public:
  HistoryRow(const Cli& cli, history::Entry entry);
  ~HistoryRow();
  HistoryRow(const HistoryRow&) = delete;
  HistoryRow& operator=(const HistoryRow&) = delete;
  void done(std::vector<std::filesystem::path> files);
  void failed(const Error& error);
  void drop();  // there was nothing to do

 private:
  void end(history::Outcome outcome);
  const history::Recorder* recorder_;  // nullptr: the row has ended, or there is no history
  history::Entry entry_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The recorder of the command line, for the user's history; its errors are warnings of `cli`, which must outlive it.
std::shared_ptr<const history::Recorder> command_line_recorder(const Cli& cli);

// Runs the command. Commands that convert, join, learn, train, prune or sweep get their row of the history here, since
// their options name their inputs and outputs. Runs of pipelines get theirs in run_and_report() and run_and_count(),
// where their outputs are known.
Result<void> run_with_history(Cli& cli, const CLI::App& app);

}  // namespace tl::cli
