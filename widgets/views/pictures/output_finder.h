// Output finder: finds the volume and the projections to show for a node: its own output, or the nearest along links.
#pragma once

#include "core/graph/graph.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// The node's own volume or labels; else the nearest downstream, else the nearest upstream, else the last of the graph.
Output volume_for(const Graph& graph, const Registry& registry, const QString& node);
// The node's own projections; else the nearest upstream, else the nearest downstream, else the last of the graph.
Output projections_for(const Graph& graph, const Registry& registry, const QString& node);

// What slices show for a node: a volume, and the labels that lie over it.
struct ShownOutputs {
  Output volume, labels;
  friend bool operator==(const ShownOutputs&, const ShownOutputs&) = default;
};
// Labels that are made from a volume lie over that one. Else as volume_for(); where that are labels, or where labels
// enter a node that makes no volume, the labels over the volume that enters the same node, else over the nearest
// upstream. Labels without any volume are both. Over a volume with no labels of its own node lie those that are painted
// on it.
ShownOutputs shown_for(const Graph& graph, const Registry& registry, const QString& node);

// The labels that are painted on a volume: of the first node segment.painted that it enters; empty: none.
Output painted_on(const Graph& graph, const Output& volume);

// The painted labels from which the shown labels are made at once (a classifier's strokes), if they are painted on the
// shown volume; empty: none, or the shown labels are the painted ones.
Output strokes_of(const Graph& graph, const ShownOutputs& shown);

// All outputs with a volume or labels, in topological order.
std::vector<Output> all_volumes(const Graph& graph, const Registry& registry);
// The node and all nodes upstream, nearest first.
std::vector<std::string> upstream_nodes(const Graph& graph, const std::string& node);
// All outputs with projections of the node and upstream, nearest first. Needed for flats and darks, which later outputs
// no longer contain.
std::vector<Output> projections_before(const Graph& graph, const Registry& registry, const QString& node);

}  // namespace tl::ui
