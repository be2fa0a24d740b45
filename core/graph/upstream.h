// The part of a graph on which some nodes depend.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl {

// These nodes, everything upstream of them, and the links between; unknown names are ignored. Title, layout and
// learning settings are not copied.
Graph upstream_of(const Graph& graph, const std::vector<std::string>& nodes);

}  // namespace tl
