// ScanQueue: scans in the order in which they are to run, each with its pipeline and its own parameters.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/many/scan_list.h"

namespace tl {

class ManyScans;
struct RunOptions;
struct ScanCheck;
struct ScanOutcome;

// The rows of a folder's scans.csv: what `tomoloom run --inputs` reads and writes. Every change is in the file when the
// call returns; a failed one changes nothing. The folder is locked against other programs until the queue is destroyed.
// Any thread; one of them runs scans.
class ScanQueue {
 public:
  // Errors: those of ManyScans::open(), such as io while another program uses the queue, which names it.
  static Result<std::unique_ptr<ScanQueue>> open(const Registry& registry, const std::filesystem::path& folder);
  ~ScanQueue();
  ScanQueue(const ScanQueue&) = delete;
  ScanQueue& operator=(const ScanQueue&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::vector<ScanRow> rows() const;
  [[nodiscard]] std::optional<ScanRow> find(const std::string& name) const;
  [[nodiscard]] std::string running() const;  // the name of the row that runs; empty: none

  // Keeps a copy of a pipeline in the folder: later changes of its file do not change rows that wait. Outputs that it
  // places elsewhere go into the folder of each row, without the name of the scan that it was made for. Gives what
  // ScanRow::pipeline names it by.
  Result<std::string> keep_pipeline(const Graph& graph, const std::string& title);
  // Adds scans at the end; rows without a pipeline get `pipeline`. Names that are taken get -2, -3. Gives the new
  // names.
  Result<std::vector<std::string>> add(std::vector<ScanTask> tasks, const std::string& pipeline);
  // The results of removed rows stay on the disk. Errors: invalid for the row that runs.
  Result<void> remove(const std::vector<std::string>& names);
  // Places the rows, in the order that they have, before the row that is `before`-th now.
  Result<void> move(const std::vector<std::string>& names, std::size_t before);
  // What differs from the pipeline for this scan; an empty value removes it. A row with results keeps them: a new row
  // after it gets the change. Gives the name of the row that has it. Errors: those of set_param().
  Result<std::string> set(const std::string& name, const std::string& parameter, const std::string& value);
  enum class Hold { paused, waiting };
  Result<void> hold(const std::vector<std::string>& names, Hold how);  // of rows that have not begun
  // Rows that wait are sent to a cluster: they do not run here. Gives their names.
  Result<std::vector<std::string>> send(const std::vector<std::string>& names);
  // What became of a row that was sent; nothing where the row is in another state by now.
  Result<void> enter_sent(const ScanRow& row);
  // Failed and paused rows are queued again, and rows whose results were removed.
  Result<void> retry(const std::vector<std::string>& names);
  // Rows that have not begun get another pipeline.
  Result<void> use_pipeline(const std::vector<std::string>& names, const std::string& pipeline);

  // The first row that waits, or was interrupted, is marked as running. Nothing: all have ended or are paused.
  std::optional<ScanRow> take_next();
  // Runs a row from take_next(), whatever its outcome: see ManyScans::run().
  Result<ScanOutcome> run(const ScanRow& row, RunOptions options);
  // What is known of a row before it runs, and what is wrong with it.
  [[nodiscard]] Result<ScanCheck> check(const ScanRow& row, RunOptions options) const;

 private:
  ScanQueue(const Registry& registry, std::filesystem::path folder, std::unique_ptr<ManyScans> runs);
  template <class Change>
  Result<void> change(const std::vector<std::string>& names, Change change);
  Result<void> check_setting(const ScanRow& row, const std::string& parameter, const std::string& value) const;

  const Registry& registry_;
  const std::filesystem::path folder_;
  const std::unique_ptr<ManyScans> runs_;
  mutable std::mutex mutex_;  // of running_; held while rows are changed, so that none begins to run meanwhile
  std::string running_;
};

}  // namespace tl
