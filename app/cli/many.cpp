// Prints a line for every scan of a run over many, and the sum.
#include "app/cli/many.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/common/history_row.h"
#include "core/run/common/progress.h"

namespace tl::cli {
namespace {

std::string line_about(const ScanRow& row, bool was_done) {
  if (row.state == ScanState::failed) return "failed: " + row.error;
  if (was_done) return "was done already";
  std::string text = "done in " + format_duration(row.seconds);
  for (const auto& [name, value] : row.found) text += ", " + name + " = " + value;
  return text;
}

// The history entry of a scan whose settings do not fit the pipeline.
history::Entry entry_of_scan(const ScanTask& task) {
  history::Entry entry;
  entry.inputs = {{task.scan.string(), {}, 0}};
  return entry;
}

// Relative names lie in the folder of the table.
std::vector<std::filesystem::path> files_of(const ManyScans& runs, const ScanRow& row) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : row.files) files.push_back(runs.table().file().parent_path() / file);
  return files;
}

}  // namespace

Result<void> run_and_count(ManyScans& runs, const ScanTask& task, const std::string& place, const Cli& cli,
                           RunSink& sink, ManyCounts& counts) {
  const Result<Graph> graph = runs.graph_of(task);
  HistoryRow recorded(
      cli, graph.ok() ? history::entry_of(history::Kind::run, graph.value(), Registry::all()) : entry_of_scan(task));
  const Result<ScanOutcome> outcome = runs.run(task);
  sink.end();
  if (!outcome.ok()) {
    recorded.failed(outcome.error());
    return outcome.error();
  }
  const ScanRow& row = outcome.value().row;
  const bool was_done = outcome.value().was_done;
  counts.last = row.name;
  if (was_done) recorded.drop();
  if (row.state == ScanState::failed)
    recorded.failed(invalid(row.error));
  else
    recorded.done(files_of(runs, row));
  ++(row.state == ScanState::failed ? counts.failed : was_done ? counts.done_before : counts.done);
  if (cli.output_mode == OutputMode::quiet) return ok();
  if (cli.output_mode == OutputMode::json) {
    Json line{{"event", "scan"}, {"place", place}, {"name", row.name}, {"scan", row.scan.string()}};
    line["state"] = std::string(to_string(row.state));
    line["done_before"] = was_done;
    line["found"] = row.found;
    line["files"] = row.files;
    if (!row.error.empty()) line["error"] = row.error;
    print_json(line);
    return ok();
  }
  say(stdout, place + ": " + row.name + ": " + line_about(row, was_done));
  std::fflush(stdout);
  return ok();
}

void print_sum(const ManyScans& runs, const ManyCounts& counts, Cli& cli) {
  if (counts.failed > 0) cli.code = exit_invalid;
  if (cli.output_mode == OutputMode::quiet) return;
  const std::string table = runs.table().file().string();
  if (cli.output_mode == OutputMode::json)
    return print_json({{"event", "sum"},
                       {"done", counts.done},
                       {"failed", counts.failed},
                       {"done_before", counts.done_before},
                       {"table", table}});
  say(stdout, std::to_string(counts.done) + " done, " + std::to_string(counts.done_before) + " were done already, " +
                  std::to_string(counts.failed) + " failed; the table is " + table);
}

}  // namespace tl::cli
