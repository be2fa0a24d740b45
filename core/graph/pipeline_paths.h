// Input files of a pipeline: absolute in a loaded graph, relative to the file's folder in every file that is written.
#pragma once

#include <filesystem>
#include <string>

#include "core/graph/graph.h"

namespace tl {

// Makes the inputs of a graph absolute; relative ones are meant from `folder` (empty: the working folder).
void resolve_inputs(Graph& graph, const Registry& registry, const std::filesystem::path& folder);

// The same graph as a file in `folder` should hold it: inputs named by their way from there, also upwards, so that a
// tree of scans and results can be moved and no file names a folder of this machine.
Graph with_relative_inputs(Graph graph, const Registry& registry, const std::filesystem::path& folder);

// One path as a file in `folder` should name it. Symbolic links below the folder keep their names.
std::string relative_input(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace tl
