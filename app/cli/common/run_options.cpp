// RunFlags: adds the options that all computing subcommands share, runs, and reports at the end of a run.
#include "app/cli/common/run_options.h"

#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>

#include "app/cli/common/history_row.h"
#include "core/node/registry.h"
#include "core/run/automatic/batch.h"
#include "core/run/common/memory.h"
#include "core/run/common/progress.h"
#include "gpu/device/device.h"

namespace tl::cli {
namespace {

void print_done(const Cli& cli, const RunReport& report) {
  if (cli.output_mode == OutputMode::quiet) return;
  if (cli.output_mode == OutputMode::json) {
    Json files = Json::array();
    for (const auto& f : report.files) files.push_back(f.string());
    const Json line = {
        {"event", "done"}, {"files", files}, {"found", found_values(report)}, {"seconds", report.seconds}};
    print_json(line);
    return;
  }
  for (const std::string& line : found_values(report)) say(stdout, line);
  for (const auto& f : report.files)
    say(stdout, "wrote " + f.string() + " and its record " + f.filename().string() + ".json");
  std::printf("done in %s\n", report.seconds < 10 ? (std::to_string(report.seconds).substr(0, 4) + " s").c_str()
                                                  : format_duration(report.seconds).c_str());
}

}  // namespace

void add_run_flags(CLI::App& app, Cli& cli, RunFlags& flags) {
  app.add_option("--device", flags.device, "cpu, cuda:N or auto")->capture_default_str();
  app.add_option("--max-memory", flags.memory,
                 "Memory of the whole program, for example 4GB (default: 80 % of what is available)");
  app.add_flag("--overwrite", flags.overwrite, "Replace outputs that exist");
  add_output_flags(app, cli);
}

Result<void> set_memory(RunOptions& options, const std::optional<std::string>& text) {
  if (!text) return ok();
  TL_TRY(options.memory_given, parse_bytes(*text));
  TL_TRY(options.memory, blocks_within(options.memory_given));
  return ok();
}

Result<RunOptions> make_run_options(const Cli& cli, const RunFlags& flags, EventSink& sink) {
  RunOptions options;
  warn_about_plugin_folders(cli);
  TL_TRY(options.device, choose_device(flags.device));
  if (flags.device == "auto") {
    options.device_fallback = DeviceFallback::allow;
    options.device_reason = options.device == "cpu" ? why_no_gpu() : "the first GPU of this machine";
    if (cli.output_mode != OutputMode::quiet)
      sink.message(LogLevel::info, "", "the device is " + options.device + ": " + options.device_reason);
  }
  TL_TRY(set_memory(options, flags.memory));
  options.overwrite = flags.overwrite ? io::Overwrite::replace : io::Overwrite::refuse;
  options.inputs.add(cli.files.inputs());
  options.cancel = cli.cancel;
  options.events = &sink;
  return options;
}

Result<RunReport> run_and_report(const Cli& cli, const Graph& graph, const RunOptions& options, RunSink& sink,
                                 const std::vector<std::string>& outputs) {
  const Registry& registry = Registry::all();
  Executor executor(registry, options);
  sink.elements_done = [&] {
    int64_t most = 0;
    for (const auto& [node, stats] : executor.stats()) most = std::max(most, stats.voxels);
    return static_cast<double>(most);
  };
  HistoryRow row(cli, history::entry_of(history::Kind::run, graph, registry, options.input_dir));
  Result<RunReport> result = run_batch(executor, graph, registry, outputs);
  sink.end();
  if (!result.ok()) {
    row.failed(result.error());
    return result.error();
  }
  row.done(result.value().files);
  try {
    print_done(cli, result.value());
  } catch (const std::bad_alloc&) {
    std::fputs("done\n", stderr);  // memory ran out only while reporting: the outputs are complete
  }
  return result;
}

}  // namespace tl::cli
