// Output finder: finds the volume and the projections to show for a node: its own output, or the nearest along links.
#pragma once

#include "core/graph/graph.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// The volume or labels of the node itself; else the nearest ones downstream, else upstream, else the last of the graph.
Output volume_for(const Graph& graph, const Registry& registry, const QString& node);
// The projections of the node itself; else the nearest upstream, else downstream, else the last of the graph.
Output projections_for(const Graph& graph, const Registry& registry, const QString& node);

// Outputs shown in slices for a node: a volume, and labels over it.
struct ShownOutputs {
  Output volume, labels;
  friend bool operator==(const ShownOutputs&, const ShownOutputs&) = default;
};
// Labels computed from a volume are shown over that volume. Else as volume_for(); if that gives labels, or if labels
// are input of a node without volume output, the labels are shown over the volume that is input of the same node, else
// over the nearest upstream. Labels without any volume are used as both. For a volume without such labels, labels
// painted on it are shown.
ShownOutputs shown_for(const Graph& graph, const Registry& registry, const QString& node);

// The labels painted on a volume: of the first node segment.painted that has it as input; empty: none.
Output painted_on(const Graph& graph, const Output& volume);

// The painted labels from which the shown labels are directly computed (a classifier's strokes), if they are painted on
// the shown volume; empty: none, or the shown labels are the painted ones.
Output strokes_of(const Graph& graph, const ShownOutputs& shown);

// All outputs with a volume or labels, in topological order.
std::vector<Output> all_volumes(const Graph& graph, const Registry& registry);
// The node and all nodes upstream, nearest first.
std::vector<std::string> upstream_nodes(const Graph& graph, const std::string& node);
// All outputs with projections of the node and upstream, nearest first. Needed for flats and darks, which later outputs
// no longer contain.
std::vector<Output> projections_before(const Graph& graph, const Registry& registry, const QString& node);

}  // namespace tl::ui
