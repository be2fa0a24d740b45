// Output finder: finds the volume and the projections to show for a node: its own output, or the nearest along links.
#pragma once

#include "core/graph/graph.h"
#include "widgets/views/picture_source.h"

namespace tl::ui {

// The node's own volume or labels; else the nearest downstream, else the nearest upstream, else the last of the graph.
Output volume_for(const Graph& graph, const Registry& registry, const QString& node);
// The node's own projections; else the nearest upstream, else the nearest downstream, else the last of the graph.
Output projections_for(const Graph& graph, const Registry& registry, const QString& node);

// All outputs with a volume or labels, in topological order.
std::vector<Output> all_volumes(const Graph& graph, const Registry& registry);
// The node and all nodes upstream, nearest first.
std::vector<std::string> upstream_nodes(const Graph& graph, const std::string& node);
// Whether the pixel size was entered as a number, in this node or upstream.
bool pixel_size_is_set(const Graph& graph, const QString& node);
// True if the scan has no pixel size, in which case it is read with pixels of 1 mm. Lengths are then shown in pixels
// instead of millimetres that nobody measured.
bool is_in_pixels(const Graph& graph, const QString& node, const VolumeGrid& grid);
// All outputs with projections of the node and upstream, nearest first. Needed for flats and darks, which later outputs
// no longer contain.
std::vector<Output> projections_before(const Graph& graph, const Registry& registry, const QString& node);

}  // namespace tl::ui
