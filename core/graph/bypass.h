// Bypass and mute: the graph that is computed, made from the graph as it was drawn.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/graph/graph.h"

namespace tl {

// The graph without what is bypassed or muted, and where the missing parts went.
struct UsedGraph {
  Graph graph;  // every node is active
  // Outputs of bypassed nodes: (node, port) to the (node, port) of an active node whose value passes through.
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> passed;
  std::set<std::string> muted;  // muted nodes, and those that lack a required input or a driver because of them
};

// The input whose value a bypassed node hands on as `output`: the first one of the same type. nullptr: there is none.
const PortDecl* pass_through(const NodeType& type, const std::string& output);

// Can this node be bypassed? Not when types differ: the error names the output that nothing can stand in for.
Result<void> may_bypass(const Graph& graph, const Registry& registry, const std::string& node);

// Works on unsound graphs too. A link from a bypassed output that nothing stands in for, or from a muted node, into an
// optional input is dropped. A driven parameter needs its driver as a required input does.
UsedGraph used_graph(const Graph& graph, const Registry& registry);

// Nodes of the graph that are bypassed or muted, in the words of messages: "gaussian (bypassed), save (muted)".
std::string unused_nodes(const Graph& graph);

}  // namespace tl
