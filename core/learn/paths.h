// Which nodes lie between parameters and an objective, and whether derivatives pass them. Internal to core/learn.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/learn/learning.h"

namespace tl::learn {

std::vector<std::string> target_nodes(const Settings& settings);
// These nodes and all that depends on them, through inputs or driven parameters.
std::set<std::string> downstream_of(const Graph& graph, const std::vector<std::string>& nodes);
// differences where the parameter cannot be held, or a node on a way to the objective has no derivative.
Derivative derivative_of(const Graph& graph, const Registry& registry, const Target& target,
                         const ObjectivePort& objective);

}  // namespace tl::learn
