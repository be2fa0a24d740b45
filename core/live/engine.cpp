// Starts and ends the compute thread of the live engine, and passes calls to it.
#include "core/live/engine.h"

#include "core/base/priority.h"
#include "core/live/worker.h"
#include "core/run/common/deep_stack.h"
#include "gpu/device/threads.h"

namespace tl::live {

Engine::Engine(const Registry& registry, EngineOptions options, Listener& listener)
    : compute_thread_([this, &registry, o = std::move(options), &listener] {
        const auto work = [&] {
          lower_thread_priority();
          if (o.threads > 0) limit_threads(o.threads);
          // The Worker is made, used and destroyed on this thread: the array library keeps a thread pool for it.
          Worker(registry, o, listener, *this).work();
        };
        // A stack large enough for the longest pipeline, so that calls of the executor need no thread of their own; if
        // the system refuses it, they do.
        if (!run_on_deep_stack(max_nodes, work).ok()) work();
      }) {}
Engine::~Engine() {
  quit();
  compute_thread_.join();
}

}  // namespace tl::live
