// example_nodes(): the nodes of a pipeline that output labels for training. No array type in this header.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl::train {

// The active nodes that output labels of a linked volume for training: painted labels, and examples.
std::vector<std::string> example_nodes(const Graph& graph);

// Whether a node outputs painted labels, where 0 means not labelled.
bool is_painted(const GraphNode& node);

}  // namespace tl::train
