// What the nodes that write files share: names, refusal to overwrite, embedded provenance.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/output/output_rules.h"
#include "core/node/node_run.h"
#include "core/node/params.h"

namespace tl {

// The formats that volumes can be written in, as choices of a parameter, in the order of io::volume_formats().
std::vector<Choice> written_format_choices();

// The output and the record that a run writes next to it (NAME.json) must not exist, unless overwriting was asked for,
// and neither may be an input of the run.
Result<void> check_output(const std::filesystem::path& file, io::OutputKind kind, NodeRun& r);

// {"pipeline": ..., "provenance": ...} as one line of JSON: what an output embeds so that it opens as a pipeline again.
// `folder` holds the file that embeds it.
std::string embedded_description(NodeRun& r, const std::filesystem::path& folder);

}  // namespace tl
