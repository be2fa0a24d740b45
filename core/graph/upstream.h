// The part of a graph that some nodes depend on.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl {

// These nodes, everything upstream of them, and the links between; names that are no nodes are left out. Title and
// layout stay behind.
Graph upstream_of(const Graph& graph, const std::vector<std::string>& nodes);

}  // namespace tl
