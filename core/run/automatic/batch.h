// Batch: a whole pipeline from files to files: inputs and settings put into the graph, outputs checked before the
// start, a record written beside the result.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/executor.h"

namespace tl {

// Sets parameters from "node.param=value" texts. Input files named there are relative to the working folder.
Result<void> apply_settings(Graph& graph, const Registry& registry, const std::vector<std::string>& settings);

// Puts `path` into the input-file parameter of the graph's one source, the first where it has several. No source or
// several of them: invalid, naming them.
Result<void> set_input(Graph& graph, const Registry& registry, const std::filesystem::path& path);

// The files and folders that a run of the graph will write: the output nodes' paths, in the order of the run.
std::vector<std::filesystem::path> output_paths(const Graph& graph, const Registry& registry,
                                                const RunOptions& options);

// The same, each followed by its record NAME.json.
std::vector<std::filesystem::path> outputs_with_records(const Graph& graph, const Registry& registry,
                                                        const RunOptions& options);

// OUT.json beside the main output: the first that is neither a picture nor JSON itself. Empty when there is no output.
std::filesystem::path record_path(const std::vector<std::filesystem::path>& outputs);

// An output that a pipeline places outside of the output folder, by an absolute name, by ".." or through a link.
struct OutsideOutput {
  std::string parameter;       // "save.file"
  std::filesystem::path path;  // absolute
};
// `settings` are those of apply_settings(): what the user names there is meant.
std::vector<OutsideOutput> outputs_outside(const Graph& graph, const Registry& registry, const RunOptions& options,
                                           const std::vector<std::string>& settings);
// invalid: there are some.
Result<void> check_outputs_inside(const Graph& graph, const Registry& registry, const RunOptions& options,
                                  const std::vector<std::string>& settings);

// May these names be written? Inputs, existing outputs (unless replaced), two names of one file, links that lead
// nowhere, missing or read-only folders, devices: the error that a writer would give after the work is done, given
// before it starts.
Result<void> check_writable(const std::vector<std::filesystem::path>& outputs, const io::OutputRules& rules);

// Runs every output node; the executor writes a record beside each file. Nothing is computed when an output or its
// record could not be written.
Result<RunReport> run_batch(Executor& executor, const Graph& graph, const Registry& registry);

// Values found from the data, one sentence each: "axis: offset = -23.6 px +- 0.05 (resolved)".
std::vector<std::string> found_values(const RunReport& report);

}  // namespace tl
