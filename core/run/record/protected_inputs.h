// The files that a pipeline reads, so that no output can replace one of them.
#pragma once

#include <filesystem>
#include <string>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {

// Every input file of a graph, and for scans every file that their readers list: external and virtual sources, frames.
// Bypassed and muted nodes are included. Relative inputs are relative to `input_dir`. For a scan that cannot be opened,
// only the named path is protected.
io::ProtectedFiles inputs_of(const Graph& graph, const Registry& registry, const std::filesystem::path& input_dir = {});

// Also includes the file from which the pipeline came (which may be a result that embeds it).
io::ProtectedFiles inputs_with_pipeline(const Graph& graph, const Registry& registry,
                                        const std::filesystem::path& pipeline_file);

}  // namespace tl
