// Which volume and which projections belong to a node: its own output, or the nearest one along the links.
#pragma once

#include "core/graph/graph.h"
#include "widgets/views/picture_source.h"

namespace tl::ui {

// The node's own volume or labels; else the nearest after it, else the nearest before it, else the last of the graph.
Output volume_for(const Graph& graph, const Registry& registry, const QString& node);
// The node's own projections; else the nearest before it, else the nearest after it, else the last of the graph.
Output projections_for(const Graph& graph, const Registry& registry, const QString& node);

// Every volume and labels of the graph, in the order in which nodes follow each other.
std::vector<Output> all_volumes(const Graph& graph, const Registry& registry);
// The node itself and everything before it, nearest first.
std::vector<std::string> upstream_nodes(const Graph& graph, const std::string& node);
// Somebody gave the pixel size by hand, in this node or before it.
bool pixel_size_is_set(const Graph& graph, const QString& node);
// Every projections output at and before a node, nearest first: flats and darks are used up on the way.
std::vector<Output> projections_before(const Graph& graph, const Registry& registry, const QString& node);

}  // namespace tl::ui
