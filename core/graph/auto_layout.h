// Places the nodes of a graph in columns from left to right, without overlaps.
#pragma once

#include <map>
#include <string>

#include "core/graph/graph.h"

namespace tl {

struct CardPoint {
  double x = 0, y = 0;
  friend bool operator==(const CardPoint&, const CardPoint&) = default;
};
struct CardSize {
  double width = 0, height = 0;
};
struct LayoutSpacing {
  double columns = 40, rows = 32;  // free space between cards
};

// Upper left corners. Every node stands right of what feeds it; in its column it stands near its inputs. The same graph
// always gives the same picture, and adding a node at the end of a branch moves nothing before it. Nodes without a size
// are taken as points; links to unknown nodes and cycles are ignored.
std::map<std::string, CardPoint> auto_layout(const Graph& graph, const std::map<std::string, CardSize>& sizes,
                                             const LayoutSpacing& spacing = {});

}  // namespace tl
