// Automatic layout: arranges the nodes of a graph in columns from left to right, without overlaps.
#pragma once

#include <map>
#include <string>

#include "core/graph/graph.h"

namespace tl {

struct NodePosition {
  double x = 0, y = 0;
  friend bool operator==(const NodePosition&, const NodePosition&) = default;
};
struct NodeSize {
  double width = 0, height = 0;
};
struct LayoutSpacing {
  double columns = 40, rows = 32;  // free space between cards
};

// The upper left corners of the nodes. Every node is right of its inputs and vertically near them. The layout is
// deterministic, and a node added at the end of a branch moves no earlier node. Nodes without a size count as points;
// links to unknown nodes and cycles are ignored.
std::map<std::string, NodePosition> auto_layout(const Graph& graph, const std::map<std::string, NodeSize>& sizes,
                                                const LayoutSpacing& spacing = {});

}  // namespace tl
