// What "auto" of an array parameter stands for in a graph.
#pragma once

#include <string>

#include "core/run/executor.h"

namespace tl {

// In the stored unit, of the shape that the node's inputs ask for. Errors as Executor::infos(), and the node's own.
Result<NumberArray> array_of_auto(Executor& executor, const Registry& registry, const Graph& graph,
                                  const std::string& node, const std::string& param);

}  // namespace tl
