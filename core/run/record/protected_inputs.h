// The files that a pipeline reads, so that no output replaces one of them.
#pragma once

#include <filesystem>
#include <string>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {

// Every input file of a graph, and for scans every file that their readers list: external and virtual sources, frames.
// Bypassed and muted nodes are included. Relative inputs are resolved against `input_dir`. A scan that cannot be opened
// is protected by its name alone.
io::ProtectedFiles inputs_of(const Graph& graph, const Registry& registry, const std::filesystem::path& input_dir = {});

// The same, and the file that the pipeline came from (which may also be a result that embeds it).
io::ProtectedFiles inputs_with_pipeline(const Graph& graph, const Registry& registry,
                                        const std::filesystem::path& pipeline_file);

}  // namespace tl
