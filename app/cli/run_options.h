// Options that every computing subcommand takes, and how they become RunOptions.
#pragma once

#include <optional>
#include <string>

#include "app/cli/cli.h"
#include "core/run/executor.h"

namespace tl::cli {

struct RunFlags {
  std::string device = "auto";
  std::optional<std::string> memory;
  bool overwrite = false;
};

// Adds --device, --max-memory, --overwrite, --json and --quiet.
void add_run_flags(CLI::App& app, Cli& cli, RunFlags& flags);
// What --max-memory allows the whole process; nothing where it was not given.
Result<void> set_memory(RunOptions& options, const std::optional<std::string>& text);
// Checks the device and the memory. The sink must outlive the executor that gets these options.
Result<RunOptions> make_run_options(const Cli& cli, const RunFlags& flags, EventSink& sink);

// What outputs may replace: what exists with --overwrite, inputs never.
io::OutputRules rules_with(const RunFlags& flags, io::ProtectedFiles inputs);

// Runs the pipeline's outputs and tells what came out.
Result<RunReport> run_and_report(const Cli& cli, const Graph& graph, const RunOptions& options, RunSink& sink);

}  // namespace tl::cli
