// Bypass and mute: makes the graph to compute from the graph as drawn.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/graph/graph.h"

namespace tl {

// The graph without bypassed and muted nodes, and the outputs that replace theirs.
struct UsedGraph {
  Graph graph;  // every node is active
  // Outputs of bypassed nodes: (node, port) to the (node, port) of an active node whose value passes through.
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> passed;
  std::set<std::string> muted;  // muted nodes, and nodes that lack a required input or a driver because of them
};

// The input whose value a bypassed node passes through as `output`: its first input of the same type, or nullptr.
const PortDecl* bypass_input(const NodeType& type, const std::string& output);

// Invalid if this node cannot be bypassed; the error names the output for which it has no input of the same type.
Result<void> may_bypass(const Graph& graph, const Registry& registry, const std::string& node);

// Also accepts graphs with problems. A link into an optional input is dropped if it comes from a muted node, or from an
// output of a bypassed node through which nothing passes. A driven parameter needs its driver as a required input does.
UsedGraph used_graph(const Graph& graph, const Registry& registry);

// Bypassed and muted nodes as text for messages: "gaussian (bypassed), save (muted)".
std::string bypassed_and_muted_nodes(const Graph& graph);

}  // namespace tl
