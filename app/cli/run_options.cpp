// Shared options and the report at the end of a run.
#include "app/cli/run_options.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/node/registry.h"
#include "core/run/batch.h"
#include "core/run/memory.h"
#include "core/run/progress.h"
#include "gpu/device.h"

namespace tl::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_done(const Cli& cli, const RunReport& report) {
  if (cli.speech == Speech::quiet) return;
  if (cli.speech == Speech::json) {
    Json files = Json::array();
    for (const auto& f : report.files) files.push_back(f.string());
    const Json line = {
        {"event", "done"}, {"files", files}, {"found", found_values(report)}, {"seconds", report.seconds}};
    std::printf("%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    return;
  }
  for (const std::string& line : found_values(report)) std::printf("%s\n", line.c_str());
  for (const auto& f : report.files) std::printf("wrote %s and its record %s.json\n", f.c_str(), f.filename().c_str());
  std::printf("done in %s\n", report.seconds < 10 ? (std::to_string(report.seconds).substr(0, 4) + " s").c_str()
                                                  : format_duration(report.seconds).c_str());
}

}  // namespace

void add_run_flags(CLI::App& app, Cli& cli, RunFlags& flags) {
  app.add_option("--device", flags.device, "cpu, cuda:N or auto")->capture_default_str();
  app.add_option("--max-memory", flags.memory, "Memory budget, for example 4GB (default: 80 % of what is available)");
  app.add_flag("--overwrite", flags.overwrite, "Replace outputs that exist");
  add_speech(app, cli);
}

Result<RunOptions> make_run_options(const Cli& cli, const RunFlags& flags, EventSink& sink) {
  RunOptions options;
  TL_TRY(options.device, choose_device(flags.device));
  if (flags.device == "auto") {
    options.wish = DeviceWish::automatic;
    options.device_reason = options.device == "cpu" ? why_no_card() : "the first card of this machine";
    if (cli.speech != Speech::quiet)
      sink.message(LogLevel::info, "", "the device is " + options.device + ": " + options.device_reason);
  }
  if (!flags.memory.empty()) {
    TL_TRY(const int64_t limit, parse_bytes(flags.memory));
    options.memory = blocks_within(limit);
  }
  options.overwrite = flags.overwrite ? io::Overwrite::replace : io::Overwrite::refuse;
  options.cancel = cli.cancel;
  options.events = &sink;
  return options;
}

Result<void> run_and_report(const Cli& cli, const Graph& graph, const RunOptions& options, RunSink& sink) {
  const Registry& registry = Registry::all();
  Executor executor(registry, options);
  sink.elements_done = [&] {
    int64_t most = 0;
    for (const auto& [node, stats] : executor.stats()) most = std::max(most, stats.voxels);
    return static_cast<double>(most);
  };
  const Result<RunReport> result = run_batch(executor, graph, registry);
  sink.end();
  if (!result.ok()) return result.error();
  print_done(cli, result.value());
  return ok();
}

}  // namespace tl::cli
