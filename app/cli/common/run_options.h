// RunFlags: options of all computing subcommands, and their conversion to RunOptions.
#pragma once

#include <optional>
#include <string>

#include "app/cli/common/cli.h"
#include "core/run/executor.h"

namespace tl::cli {

struct RunFlags {
  std::string device = "auto";
  std::optional<std::string> memory;
  bool overwrite = false;
};

// Adds --device, --max-memory, --overwrite, --json and --quiet.
void add_run_flags(CLI::App& app, Cli& cli, RunFlags& flags);
// Sets the memory limit of the whole process from --max-memory; does nothing if it was not given.
Result<void> set_memory(RunOptions& options, const std::optional<std::string>& text);
// Checks device and memory; no output may replace files that the command's options name as inputs. The sink must
// outlive the executor that gets these options.
Result<RunOptions> make_run_options(const Cli& cli, const RunFlags& flags, EventSink& sink);

// Runs all output nodes of the pipeline, or the given ones, and prints found values and written files.
Result<RunReport> run_and_report(const Cli& cli, const Graph& graph, const RunOptions& options, RunSink& sink,
                                 const std::vector<std::string>& outputs = {});

}  // namespace tl::cli
