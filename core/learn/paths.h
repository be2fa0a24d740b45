// Which nodes lie between the targets and the objective, and whether they are differentiable. Internal to core/learn.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"

namespace tl::learn {

std::vector<std::string> target_nodes(const Settings& settings);
// These nodes and all nodes that depend on them, through inputs or driven parameters.
std::set<std::string> downstream_of(const Graph& graph, const std::vector<std::string>& nodes);
// differences if the parameter itself or a node between it and the objective is not differentiable.
Derivative derivative_of(const Graph& graph, const Registry& registry, const Target& target,
                         const ObjectivePort& objective);

}  // namespace tl::learn
