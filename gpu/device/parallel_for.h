// Parallel loops over indices, with as many threads as there are free cores, or more for long loops.
#pragma once

#include <ATen/Parallel.h>

#include <cstdint>

#include "gpu/device/loop_threads.h"
#include "gpu/device/threads.h"

namespace tl::ops {

// Number of threads of a loop that begins now; for a long one, if a LoopThreads is active.
inline int64_t threads_of_loop() {
  follow_free_cores();
  return at::get_num_threads();
}

// at::parallel_for: calls f(first, last) for parts of the indices begin to end - 1, each with at least `grain` of them.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain, const F& f) {
  static constinit LoopHistory history;  // each call site has its own F
  if (end - begin <= grain) {            // serial
    follow_free_cores();
    at::parallel_for(begin, end, grain, f);
    return;
  }
  const LoopThreads threads(history, static_cast<double>(end - begin));
  at::parallel_for(begin, end, grain, f);
}

}  // namespace tl::ops
