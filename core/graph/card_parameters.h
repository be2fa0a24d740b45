// The parameters of a node that its card shows, on the canvas and in drawings.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl {

// Names of parameters, in this order: files, values that the user set, choices and learnable ones; at most two (one if
// the node shows a found value), and all that links drive.
std::vector<std::string> parameters_on_card(const Graph& graph, const NodeType& type, const std::string& node);

}  // namespace tl
