// ScanRow: a scan in a table of scans: its settings and its outcome; converted to and from CSV.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/text/csv.h"

namespace tl {

// running: started and not finished; in a table that no process has locked: interrupted. paused: skipped until the user
// resumes it. sent: submitted to a cluster, see core/run/cluster/queue_jobs.h.
enum class ScanState { waiting, running, done, failed, paused, sent };
std::string_view to_string(ScanState state);

struct ScanRow {
  std::string name;            // name of the task, and of the folder of its results
  std::filesystem::path scan;  // absolute
  ScanState state = ScanState::waiting;
  double seconds = 0;
  std::map<std::string, std::string> found;  // "axis.axis [px]" -> "-23.6"; also "... sigma" and "... verdict"
  std::vector<std::string> files;            // written, relative to the table's folder
  std::string error;                         // why it failed
  // SETTINGS-INPUTS, hashes of pipeline, settings and version, and of the input files: another key means another run,
  // and other inputs another scan.
  std::string key;
  // A pipeline file, absolute or relative to the table's folder, or a bundled pipeline; empty: the pipeline of the run.
  std::string pipeline = {};
  std::vector<std::string> settings = {};  // "node.param=value": parameters that differ from the pipeline
  friend bool operator==(const ScanRow&, const ScanRow&) = default;
};

// Splits "node.param=value" into parameter and value.
std::pair<std::string, std::string> split_setting(const std::string& setting);

// The table in UTF-8 (other bytes in names are written as \xe9), a row for each scan: name, scan, pipeline (if any row
// has one), a column for each parameter that differs, state, seconds, a column for each value found, files, error, key.
// Columns before `state` are the request, those after `seconds` the outcome.
std::string csv_of(const std::vector<ScanRow>& rows);
// The rows of a table that csv_of() wrote; nothing if it is another table.
std::optional<std::vector<ScanRow>> result_rows(const std::vector<io::CsvRow>& table);

// The rows of any table of scans, in the state waiting and without outcome: a table that csv_of() wrote, or one of the
// user's, whose first line names the columns: `scan`, and optionally `name`, `pipeline` and parameters ("fbp.cutoff").
// An empty cell leaves its parameter as in the pipeline, and columns whose names begin with # are ignored; scans are as
// written in the table. Errors: invalid, with the row, for a table without a column `scan` or without rows, and for
// malformed rows.
Result<std::vector<ScanRow>> requested_rows(const std::vector<io::CsvRow>& table, const std::string& where);

}  // namespace tl
