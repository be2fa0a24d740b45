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

// The rows of a folder's scans.csv: what `tomoloom run --inputs` reads and writes. Every change has been written to the
// file when the call returns; a failed one changes nothing. The folder is locked against other programs until the queue
// is destroyed. Any thread; one of them runs scans.
class ScanQueue {
 public:
  // Errors: those of ManyScans::open(), such as io while another program, named in the error, uses the queue.
  static Result<std::unique_ptr<ScanQueue>> open(const Registry& registry, const std::filesystem::path& folder);
  ~ScanQueue();
  ScanQueue(const ScanQueue&) = delete;
  ScanQueue& operator=(const ScanQueue&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::vector<ScanRow> rows() const;
  [[nodiscard]] std::optional<ScanRow> find(const std::string& name) const;
  [[nodiscard]] std::string running() const;  // the name of the running row; empty: none

  // Stores a copy of a pipeline in the folder: later changes of its file do not affect waiting rows. Outputs that the
  // pipeline places elsewhere are written into the folder of each row, without the name of the original scan. Returns
  // the name of the copy for ScanRow::pipeline.
  Result<std::string> keep_pipeline(const Graph& graph, const std::string& title);
  // Adds scans at the end; rows without a pipeline get `pipeline`. Names that already exist get -2, -3. Returns the new
  // names.
  Result<std::vector<std::string>> add(std::vector<ScanTask> tasks, const std::string& pipeline);
  // The results of removed rows stay on the disk. Errors: invalid for the running row.
  Result<void> remove(const std::vector<std::string>& names);
  // Moves the rows, in their present order, before the row with the present index `before`.
  Result<void> move(const std::vector<std::string>& names, std::size_t before);
  // Changes a parameter of the pipeline for this scan; an empty value removes the change. A row with results is not
  // changed: a new row after it gets the change. Returns the name of the changed row. Errors: those of set_param().
  Result<std::string> set(const std::string& name, const std::string& parameter, const std::string& value);
  enum class Hold { paused, waiting };
  Result<void> hold(const std::vector<std::string>& names, Hold how);  // for rows that have not started
  // Marks waiting rows as sent to a cluster: they do not run here. Returns their names.
  Result<std::vector<std::string>> send(const std::vector<std::string>& names);
  // Records the outcome of a row that was sent; does nothing if the row has another state by now.
  Result<void> enter_sent(const ScanRow& row);
  // Queues failed and paused rows again, and rows whose results were removed.
  Result<void> retry(const std::vector<std::string>& names);
  // Sets another pipeline for rows that have not started.
  Result<void> use_pipeline(const std::vector<std::string>& names, const std::string& pipeline);

  // Marks the first waiting or interrupted row as running. Nothing: all have ended or are paused.
  std::optional<ScanRow> take_next();
  // Runs a row from take_next(), and records the outcome in any case: see ManyScans::run().
  Result<ScanOutcome> run(const ScanRow& row, RunOptions options);
  // Properties and problems of a row that are known before it runs.
  [[nodiscard]] Result<ScanCheck> check(const ScanRow& row, RunOptions options) const;

 private:
  ScanQueue(const Registry& registry, std::filesystem::path folder, std::unique_ptr<ManyScans> runs);
  template <class Change>
  Result<void> change(const std::vector<std::string>& names, Change change);
  Result<void> check_setting(const ScanRow& row, const std::string& parameter, const std::string& value) const;

  const Registry& registry_;
  const std::filesystem::path folder_;
  const std::unique_ptr<ManyScans> runs_;
  mutable std::mutex mutex_;  // for running_; also held while rows are changed, so that none starts meanwhile
  std::string running_;
};

}  // namespace tl
