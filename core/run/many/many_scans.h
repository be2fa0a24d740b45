// ManyScans: runs one pipeline over many scans, one after the other; continues after errors, and resumes after an
// interruption.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/common/run_options.h"
#include "core/run/common/run_report.h"
#include "core/run/many/scan_list.h"
#include "core/run/many/scan_table.h"

namespace tl {

struct ManyScansRequest {
  Graph pipeline;                             // for tasks without one; its only source reads the scan
  std::vector<std::string> settings;          // for all scans, applied before the settings of a scan
  std::filesystem::path out;                  // results of a scan are written into the folder out/NAME
  std::vector<std::filesystem::path> inputs;  // as in scan_list(), or the watched folder
  bool allow_outside = false;                 // permits outputs that the pipeline places outside out/NAME
  RunOptions options;                         // output_dir is set for each scan
};

// What became of a scan.
struct ScanOutcome {
  ScanRow row;
  bool was_done = false;                 // done by an earlier run: nothing was computed
  std::optional<RunReport> report = {};  // of a successful run
};

// Properties of a scan that are known before it runs.
struct ScanCheck {
  Graph graph;               // the pipeline with the scan and all settings
  RunOptions options;        // the given options, with the folder of its results
  bool has_changed = false;  // the input files differ from those of the results in the table
  bool lacks_files = false;  // results listed in the table no longer exist
};

// One thread at a time.
class ManyScans {
 public:
  // Errors: those of ScanTable::open(); invalid if `out` is one of the folders of scans, where results would be
  // mistaken for scans. No output replaces a table among the inputs.
  static Result<ManyScans> open(const Registry& registry, ManyScansRequest request);

  // Runs the scan and enters the result or the error into its row of the table. The row, and the folder of its results,
  // have the task's name, unless results of another scan have it: then NAME-2 for a file of another folder,
  // NAME-rescan-2 for a file that has changed since its results were made, unless they may be replaced. If a run that
  // would replace existing results fails, their row is kept. The scan is skipped if the table states that it was run
  // with the same pipeline, settings, input files (by size and time of change) and version of the program, and all its
  // outputs still exist. Leftovers of an interrupted run of the same scan are replaced. Errors: cancelled (the scan
  // then waits again), io if the table cannot be written.
  Result<ScanOutcome> run(const ScanTask& task);
  // Adds scans that are not in the table yet as waiting.
  Result<void> expect(const std::vector<ScanTask>& tasks);
  // Makes the graph of a task and compares its input files with the table; errors are those of a run before it computes
  // anything. May be called while another thread runs a scan.
  [[nodiscard]] Result<ScanCheck> check(const ScanTask& task, RunOptions options) const;
  // Sets the options of the following runs, in addition to the protected inputs of the request.
  void use(RunOptions options);
  [[nodiscard]] const ScanTable& table() const { return table_; }
  [[nodiscard]] ScanTable& table() { return table_; }
  // The pipeline with the scan and its settings. Errors: settings that do not fit the pipeline.
  [[nodiscard]] Result<Graph> graph_of(const ScanTask& task) const;

 private:
  ManyScans(const Registry& registry, ManyScansRequest request, ScanTable table)
      : registry_(&registry), request_(std::move(request)), table_(std::move(table)) {}
  // See ScanRow::key.
  struct RunKey {
    std::string settings, inputs;
    [[nodiscard]] std::string text() const { return settings + "-" + inputs; }
  };
  [[nodiscard]] Result<RunKey> key_of(const Graph& graph, const CancelToken& cancel) const;
  [[nodiscard]] std::string name_in_table(const ScanTask& task) const;
  [[nodiscard]] std::string name_for(const ScanTask& task, const RunKey& key) const;
  [[nodiscard]] bool is_complete(const ScanRow& row) const;
  [[nodiscard]] RunOptions options_for(const std::string& name) const;
  [[nodiscard]] ScanRow row_of(const ScanTask& task) const;
  Result<RunReport> compute(const Graph& graph, const ScanTask& task, const RunOptions& options, ScanRow& row) const;

  const Registry* registry_;
  ManyScansRequest request_;
  ScanTable table_;
};

}  // namespace tl
