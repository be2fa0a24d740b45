// Lists what a pipeline could learn: parameters of its nodes, and the geometry of its scan if a node that sets it can
// be inserted. Uses declarations and checks only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learner/suggest.h"

namespace tl::learn {

struct Learnable {
  std::string type, node, name;        // node type, node and parameter; empty node: it has to be inserted first
  std::optional<Link> insertion_link;  // link on which to insert it; to_node is empty at the end of a pipeline
  // The present value in the unit of the declaration, if the geometry of the scan determines it.
  std::optional<double> present;
  std::optional<Error> obstacle;  // why it cannot be learned
};

// In the order of the pipeline; parameters that can be learned come first. Parameters of a cone beam are left out for
// parallel beams.
std::vector<Learnable> learnables(const Graph& graph, const Registry& registry, const KnownInfo& known);

// The graph with the node inserted if needed, and the parameter added to the targets of its settings. All consumers of
// the output at which the node was inserted are linked to the new node. Errors: the obstacle.
struct WithTarget {
  Graph graph;
  Target target;
};
Result<WithTarget> with_target(Graph graph, const Registry& registry, const Learnable& learnable);

// The value of a geometric parameter by its declared name, in the declaration's unit; nothing for other parameters.
std::optional<double> value_in_geometry(const ScanGeometry& geometry, const ParamDecl& decl);

}  // namespace tl::learn
