// The array that replaces "auto" for a parameter in a graph.
#pragma once

#include <string>

#include "core/run/executor.h"

namespace tl {

// In the stored unit, with the shape that the node's inputs require. Errors: those of Executor::infos() and of the
// node.
Result<NumberArray> array_of_auto(Executor& executor, const Registry& registry, const Graph& graph,
                                  const std::string& node, const std::string& param);

}  // namespace tl
