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

// Puts `path` into the one input-file parameter of the graph's sources. None or several: invalid, naming them.
Result<void> set_input(Graph& graph, const Registry& registry, const std::filesystem::path& path);

// The files and folders that a run of the graph will write: the output nodes' paths, in the order of the run.
std::vector<std::filesystem::path> output_paths(const Graph& graph, const Registry& registry,
                                                const RunOptions& options);

// OUT.json beside the main output: the first that is neither a picture nor JSON itself. Empty when there is no output.
std::filesystem::path record_path(const std::vector<std::filesystem::path>& outputs);

// May these names be written? Existing outputs (unless replaced), missing or read-only folders, devices: the error that
// a writer would give after the work is done, given before it starts.
Result<void> check_writable(const std::vector<std::filesystem::path>& outputs, io::Overwrite overwrite);

// Runs every output node; the executor writes a record beside each file. Nothing is computed when an output or its
// record could not be written.
Result<RunReport> run_batch(Executor& executor, const Graph& graph, const Registry& registry);

// Values found from the data, one sentence each: "axis: offset = -23.6 px +- 0.05 (resolved)".
std::vector<std::string> found_values(const RunReport& report);

}  // namespace tl
