// What the nodes that write files share: names, refusal to overwrite, embedded provenance.
#pragma once

#include <filesystem>
#include <string>

#include "core/node/node_run.h"

namespace tl {

// The output and the record that a run writes beside it (NAME.json) must not exist, unless overwriting was asked for.
Result<void> refuse_existing(const std::filesystem::path& file, NodeRun& r);

// {"pipeline": ..., "provenance": ...} as one line of JSON: what an output embeds so that it opens as a pipeline again.
// `folder` holds the file that embeds it.
std::string embedded_description(NodeRun& r, const std::filesystem::path& folder);

}  // namespace tl
