// Provenance: the JSON that describes how a result was made.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/graph/graph.h"
#include "core/run/common/run_options.h"
#include "core/run/common/run_report.h"
#include "core/run/record/versions.h"

namespace tl {

// Versions, device, dtype and the input fingerprints known so far, as JSON text that a file embeds with its pipeline.
std::string provenance_json(const RunOptions& options, const RunReport& report);
// One sentence for each input whose fingerprint differs from that in Graph::made_from.
std::vector<std::string> changed_inputs(const Graph& graph, const RunReport& report);
// [{"node","name","value","unit","uncertainty","verdict"}], found values first; input files relative to `folder`.
std::string run_parameters_json(const RunReport& report, const std::filesystem::path& folder);
// The record written next to every output (OUT.json): format, pipeline, versions, device, timings, input fingerprints,
// files, and "parameters" as above. `prints`: fingerprints of the results, which distinguish them from those of other
// runs (results_of_other_runs()). `graph` must be as a file in `folder` holds it (with_relative_inputs()).
std::string record_json(const Graph& graph, const RunOptions& options, const RunReport& report,
                        const std::filesystem::path& folder,
                        const std::map<std::filesystem::path, std::string>& prints);

}  // namespace tl
