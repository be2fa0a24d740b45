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
// Checks device and memory; no output may replace what the options of the command name as inputs. The sink must outlive
// the executor that gets these options.
Result<RunOptions> make_run_options(const Cli& cli, const RunFlags& flags, EventSink& sink);

// Runs the pipeline's outputs, or the given ones, and prints what was found and written.
Result<RunReport> run_and_report(const Cli& cli, const Graph& graph, const RunOptions& options, RunSink& sink,
                                 const std::vector<std::string>& outputs = {});

}  // namespace tl::cli
