// Rows of a queue of scans as jobs of a cluster.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/run/cluster/submission.h"
#include "core/run/many/scan_queue.h"

namespace tl {

// The job of a row.
struct RowJob {
  std::string row;
  std::string id;          // "17_3", as Slurm names it
  JobResources resources;  // that were asked for
  TaskStatus status;
};

// Submits the waiting rows with these names, one task each, with states and logs in FOLDER/slurm-N/jobs, where
// `tomoloom jobs FOLDER/slurm-N` shows them too. The rows are marked as sent; their results go to the same folders as
// those of other rows. `program`: path of tomoloom on the machines of the cluster. Returns the number of submitted
// rows. Errors: those of submit(); then no row is sent.
Result<int64_t> submit_rows(ScanQueue& queue, const std::vector<std::string>& names, const JobResources& resources,
                            const std::filesystem::path& program);
[[nodiscard]] bool has_submissions(const ScanQueue& queue);
// The newest job of each row that was ever submitted. Asks Slurm, so not for a GUI thread. Errors: unavailable if Slurm
// does not answer.
Result<std::vector<RowJob>> row_jobs(const ScanQueue& queue);
// Records the outcome of rows that were sent: done, with values from their records, or failed, with the last line of
// the log.
Result<void> enter_outcomes(ScanQueue& queue, const std::vector<RowJob>& jobs);
// Cancels the jobs of rows that were sent and have not ended, and pauses these rows.
Result<void> cancel_rows(ScanQueue& queue, const std::vector<std::string>& names);

}  // namespace tl
