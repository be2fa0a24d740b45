// example_nodes(): which nodes of a pipeline give labels to learn from. No array type in this header.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl::train {

// The active nodes that give labels of a linked volume to learn from: painted ones, and examples.
std::vector<std::string> example_nodes(const Graph& graph);

// Whether a node is of the first kind, in which 0 means that nobody has labelled a voxel.
bool is_painted(const GraphNode& node);

}  // namespace tl::train
