// Runs a function on a thread with a large stack: the executor recurses once per node, so long chains need one.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tl {

// Whether a chain of all nodes of the graph might overflow the stack of the calling thread.
bool needs_deep_stack(const Graph& graph);
// Runs `body` on a thread with stack for that many nodes and waits for it. Rethrows its exceptions. Unavailable if the
// system refuses the stack.
Result<void> run_on_deep_stack(std::size_t nodes, const std::function<void()>& body);

// The same for a function that returns a Result.
template <class F>
auto on_deep_stack(const Graph& graph, F f) -> decltype(f()) {
  std::optional<decltype(f())> result;
  TL_TRY(run_on_deep_stack(graph.nodes.size(), [&] { result.emplace(f()); }));
  return *std::move(result);
}

// A thread whose stack fits any graph from its start, so that calls of an executor need no thread of their own. Where
// the system refuses such a stack it has a usual one, and they do.
class DeepThread {
 public:
  explicit DeepThread(std::function<void()> body);
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;
  void join();  // once

 private:
  static void* run(void* thread);
  std::function<void()> body_;
  std::size_t nodes_;  // of the longest chain that its stack fits
  pthread_t thread_{};
};

}  // namespace tl
