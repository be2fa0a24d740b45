// Options that every computing subcommand takes, and how they become RunOptions.
#pragma once

#include <string>

#include "app/cli/cli.h"
#include "core/run/executor.h"

namespace tl::cli {

struct RunFlags {
  std::string device = "auto", memory;
  bool overwrite = false;
};

// Adds --device, --max-memory, --overwrite, --json and --quiet.
void add_run_flags(CLI::App& app, Cli& cli, RunFlags& flags);
// Checks the device and the memory. The sink must outlive the executor that gets these options.
Result<RunOptions> make_run_options(const Cli& cli, const RunFlags& flags, EventSink& sink);

// Runs the pipeline's outputs and tells what came out.
Result<void> run_and_report(const Cli& cli, const Graph& graph, const RunOptions& options, RunSink& sink);

}  // namespace tl::cli
