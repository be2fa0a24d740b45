// Runs a function on a thread with a large stack: the executor recurses once per node, so that long chains need one.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tl {

// Whether a chain of all nodes of the graph might overflow a normal stack. False when already on a deep stack.
bool needs_deep_stack(const Graph& graph);
// Runs `body` on a thread with stack for that many nodes and waits for it. Rethrows its exceptions. Unavailable if the
// system refuses the stack.
Result<void> run_on_deep_stack(std::size_t nodes, const std::function<void()>& body);

// Runs a function that returns a Result.
template <class F>
auto on_deep_stack(const Graph& graph, F f) -> decltype(f()) {
  std::optional<decltype(f())> result;
  TL_TRY(run_on_deep_stack(graph.nodes.size(), [&] { result.emplace(f()); }));
  return *std::move(result);
}

}  // namespace tl
