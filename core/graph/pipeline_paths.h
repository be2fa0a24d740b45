// Input files of a pipeline: absolute in a loaded graph, relative to the file's folder in every file that is written.
#pragma once

#include <filesystem>
#include <string>

#include "core/graph/graph.h"

namespace tl {

// Makes the inputs of a graph absolute; relative ones are relative to `folder` (empty: the working folder).
void resolve_inputs(Graph& graph, const Registry& registry, const std::filesystem::path& folder);

// The graph for a file in `folder`: input paths become relative to it, also through "..", so that a tree of scans and
// results can be moved, and files contain no folder names of this machine.
Graph with_relative_inputs(Graph graph, const Registry& registry, const std::filesystem::path& folder);

// One path relative to `folder`. Symbolic links inside the folder keep their names.
std::string relative_input(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace tl
