// What a pipeline could learn: parameters of its nodes, and the geometry of its scan where a node that sets it can be
// inserted. From declarations and checks alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learner/suggest.h"

namespace tl::learn {

struct Learnable {
  std::string type, node, name;        // node type, node and parameter; node is empty where it is to be inserted first
  std::optional<Link> insertion_link;  // to_node is empty at the end of a pipeline
  // The present value in the unit of the declaration, where the geometry of the scan states it.
  std::optional<double> present;
  std::optional<Error> obstacle;  // why it cannot be learned
};

// In the order of the pipeline; what can be learned before what cannot. Parameters of a cone beam are left out for
// parallel beams.
std::vector<Learnable> learnables(const Graph& graph, const Registry& registry, const KnownInfo& known);

// The graph with the node inserted where it is needed, and the parameter among the targets of its settings. Every
// consumer of the output that the node was inserted on takes its output instead. Errors: the obstacle.
struct WithTarget {
  Graph graph;
  Target target;
};
Result<WithTarget> with_target(Graph graph, const Registry& registry, const Learnable& learnable);

// The value of a geometric parameter by its declared name, in the declaration's unit; nothing for others.
std::optional<double> value_in_geometry(const ScanGeometry& geometry, const ParamDecl& decl);

}  // namespace tl::learn
