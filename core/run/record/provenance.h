// Provenance: what a result says about how it was made.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/graph/graph.h"
#include "core/run/executor.h"
#include "core/run/record/versions.h"

namespace tl {

// Versions, device, dtype and input fingerprints so far, as JSON text: what a file embeds beside its pipeline.
std::string provenance_json(const RunOptions& options, const RunReport& report);
// One sentence for each input that is another than the one that the graph's result was made from (Graph::made_from).
std::vector<std::string> changed_inputs(const Graph& graph, const RunReport& report);
// [{"node","name","value","unit","uncertainty","verdict"}], found values first; input files relative to `folder`.
std::string parameters_json(const RunReport& report, const std::filesystem::path& folder);
// The record written beside every output (OUT.json): format, pipeline, versions, device, timings, input fingerprints,
// files, and "parameters": [{"node","name","value","unit","uncertainty","verdict"}] with found values among them.
// `prints`: fingerprints of the results, by which they are told from those of other runs (results_of_other_runs()).
// `graph` as a file in `folder` should hold it (with_relative_inputs()).
std::string record_json(const Graph& graph, const RunOptions& options, const RunReport& report,
                        const std::filesystem::path& folder,
                        const std::map<std::filesystem::path, std::string>& prints);

}  // namespace tl
