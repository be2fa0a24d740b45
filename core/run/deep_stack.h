// Running on a stack that is deep enough for long chains: values are pulled through one node inside of the other.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tl {

// Whether a chain of all nodes of a graph may be too long for a usual stack. Never on a stack that is deep already.
bool needs_deep_stack(const Graph& graph);
// Runs `body` on a thread of its own with room for that many nodes, and waits. What it throws is thrown here.
// Unavailable where the system refuses the stack.
Result<void> run_on_deep_stack(std::size_t nodes, const std::function<void()>& body);

// The same for a function that gives a Result.
template <class F>
auto on_deep_stack(const Graph& graph, F f) -> decltype(f()) {
  std::optional<decltype(f())> result;
  TL_TRY(run_on_deep_stack(graph.nodes.size(), [&] { result.emplace(f()); }));
  return *std::move(result);
}

}  // namespace tl
