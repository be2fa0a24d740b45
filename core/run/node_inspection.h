// NodeInspection: the state of every node of a graph, found without computing anything.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "core/node/node_run.h"
#include "core/values/hash.h"

namespace tl {

class RunResources;

// State of a node as far as it is known without computing.
struct NodeInspection {
  NodeUse use = NodeUse::active;     // muted also if the node needs the output of a muted one
  std::optional<Error> error;        // error of this node itself
  std::string waits_for;             // an upstream node with an error; this node cannot be checked
  Infos outputs;                     // includes measured values if they are still cached
  std::optional<Findings> findings;  // findings of a measuring or reducing node, if still cached
  bool complete = true;              // false if the outputs depend on a measurement that is still missing
  Hash key;  // key of everything on which the results depend; input files by name, size and modification time
};

// An error in one part of the graph does not hide the state of the other parts. A cancelled call does not cancel it.
std::map<std::string, NodeInspection> inspect_nodes(RunResources& resources, const Graph& graph);

}  // namespace tl
