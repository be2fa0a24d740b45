// Runs a function on a thread with a large stack, and joins it.
#include "core/run/common/deep_stack.h"

#include <ATen/ThreadLocalState.h>
#include <pthread.h>

#include <exception>

namespace tl {
namespace {

// Measured: 4 kB for every node of a chain, five times that with sanitizers. Untouched pages cost nothing.
constexpr std::size_t bytes_per_node = std::size_t{64} << 10, base_stack_bytes = std::size_t{8} << 20;
// A chain of this many nodes fits the stack of any of our threads.
constexpr std::size_t usual_nodes = 100;

thread_local std::size_t nodes_that_fit = usual_nodes;  // for the stack of this thread

struct DeepCall {
  const std::function<void()>& body;
  at::ThreadLocalState state;  // gradient mode and the like
  std::size_t nodes;
  std::exception_ptr thrown;
};

void* run_deep_call(void* argument) {
  auto& call = *static_cast<DeepCall*>(argument);
  nodes_that_fit = call.nodes;
  try {
    const at::ThreadLocalStateGuard same(call.state);
    call.body();
  } catch (...) {
    call.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

bool needs_deep_stack(const Graph& graph) { return graph.nodes.size() > nodes_that_fit; }

Result<void> run_on_deep_stack(std::size_t nodes, const std::function<void()>& body) {
  DeepCall call{body, {}, nodes, {}};
  pthread_t thread{};
  pthread_attr_t attributes;
  int failed = pthread_attr_init(&attributes);
  if (failed == 0) {
    failed = pthread_attr_setstacksize(&attributes, nodes * bytes_per_node + base_stack_bytes);
    if (failed == 0) failed = pthread_create(&thread, &attributes, run_deep_call, &call);
    pthread_attr_destroy(&attributes);
  }
  if (failed != 0)
    return unavailable(
        "no stack for a pipeline of " + std::to_string(nodes) + " nodes: " + std::generic_category().message(failed),
        "pipeline", "Split it into several pipelines, or raise the limit of memory (ulimit -v)");
  pthread_join(thread, nullptr);
  if (call.thrown) std::rethrow_exception(call.thrown);
  return ok();
}

}  // namespace tl
