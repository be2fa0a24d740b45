// Batch runs: input and settings are put into the graph, outputs are checked before the start, and a record is written
// next to each result.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/executor.h"

namespace tl {

// Sets parameters from "node.param=value" texts. Input files named there are relative to the working folder.
Result<void> apply_settings(Graph& graph, const Registry& registry, const std::vector<std::string>& settings);

// Sets the input-file parameter of the graph's only source (the first one, if the node has several), or of the only
// source without a file. Invalid if another graph has several sources, which the error names; invalid also if it has
// none.
Result<void> set_input(Graph& graph, const Registry& registry, const std::filesystem::path& path);

// The files and folders that a run of the graph will write: the output nodes' paths, in the order of the run.
std::vector<std::filesystem::path> output_paths(const Graph& graph, const Registry& registry,
                                                const RunOptions& options);

// output_paths(), each followed by its record NAME.json.
std::vector<std::filesystem::path> outputs_with_records(const Graph& graph, const Registry& registry,
                                                        const RunOptions& options);

// OUT.json next to the main output: the first output that is neither an image nor a JSON file. Empty if there is no
// output.
std::filesystem::path record_path(const std::vector<std::filesystem::path>& outputs);

// An output that a pipeline places outside of the output folder, by an absolute name, by ".." or through a link.
struct OutsideOutput {
  std::string parameter;       // "save.file"
  std::filesystem::path path;  // absolute
};
// Outputs outside options.output_dir, except those that the user named in `settings` (as in apply_settings()).
std::vector<OutsideOutput> outputs_outside(const Graph& graph, const Registry& registry, const RunOptions& options,
                                           const std::vector<std::string>& settings);
// Invalid if outputs_outside() finds any.
Result<void> check_outputs_inside(const Graph& graph, const Registry& registry, const RunOptions& options,
                                  const std::vector<std::string>& settings);

// Checks whether all of these outputs may be written, so that errors come before the work and not after it. Refuses
// inputs, existing outputs (unless they may be replaced), two names of one file, an output inside a folder that is
// another output, broken links, missing or read-only folders, and devices.
Result<void> check_writable(const std::vector<std::filesystem::path>& outputs, const io::OutputRules& rules);

// Runs every output node, or the given ones; the executor writes a record next to each file. Computes nothing if an
// output or its record could not be written.
Result<RunReport> run_batch(Executor& executor, const Graph& graph, const Registry& registry,
                            const std::vector<std::string>& outputs = {});

// Values found from the data, one line each: "axis: offset = -23.6 px +- 0.05 (resolved)".
std::vector<std::string> found_values(const RunReport& report);
// The values as columns of a table: "axis.axis [px]" -> "-23.6"; also "axis.axis sigma [px]" and "axis.axis verdict".
std::map<std::string, std::string> found_columns(const std::map<std::string, Findings>& findings);

}  // namespace tl
