// Writes reports of runs and of entries, and says so.
#include "app/cli/common/report_file.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/history/entry_texts.h"
#include "core/history/recorder.h"
#include "core/history/report/entry_report.h"
#include "core/run/record/protected_inputs.h"
#include "core/run/record/versions.h"

namespace tl::cli {

Result<void> check_report_name(const std::string& file) {
  return file.empty() ? ok() : history::check_report_name(file);
}

Result<void> write_report_file(const Cli& cli, const history::Entry& entry, const io::OutputRules& rules,
                               const std::string& file) {
  const history::Report report = history::report_of(entry, Registry::all(), history::SliceBefore::compute, cli.cancel);
  if (cli.cancel.cancelled()) return cancelled();
  TL_TRY(history::write_report(report, file, rules));
  if (cli.output_mode == OutputMode::text) say(stdout, "wrote " + file);
  if (cli.output_mode == OutputMode::json)
    say(stdout, nlohmann::ordered_json{{"event", "report"}, {"file", file}}.dump(
                    -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return ok();
}

Result<void> write_report_file(const Cli& cli, const Graph& graph, const RunOptions& options, const RunReport& run,
                               const std::string& file) {
  const Registry& registry = Registry::all();
  history::Entry entry = history::entry_of(history::Kind::run, graph, registry, options.input_dir);
  if (entry.title.empty()) entry.title = cli.pipeline;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  entry.begun = now.count() - run.seconds;
  entry.seconds = run.seconds;
  entry.state = history::State::done;
  entry.program = "command line";
  entry.version = version();
  history::add_fingerprints(entry.inputs);
  history::add_results(entry, run.files, registry);
  return write_report_file(cli, entry, cli.files.rules(inputs_of(graph, registry, options.input_dir)), file);
}

}  // namespace tl::cli
