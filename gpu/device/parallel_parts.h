// Parallel loops whose parts go to whichever thread is free.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "gpu/device/parallel_for.h"

namespace tl::ops {

// Calls part(begin, end) for parts of up to `size` of the indices 0 to count - 1; every thread gets `part` from
// `make()`, so that it has its own memory. ops::parallel_for assigns shares in advance: if another thread of the
// program reads or writes meanwhile, all threads wait for the one whose core it uses. A result must not depend on which
// thread computes a part.
template <class Make>
void parallel_parts(int64_t count, int64_t size, const Make& make) {
  static constinit LoopHistory history;  // each call site has its own Make
  const LoopThreads threads(history, static_cast<double>(count));
  const int64_t parts = (count + size - 1) / size;
  std::atomic<int64_t> next{0};
  ops::parallel_for(0, std::min(parts, threads_of_loop()), 1, [&](int64_t, int64_t) {
    auto part = make();
    for (int64_t p = next.fetch_add(1, std::memory_order_relaxed); p < parts;
         p = next.fetch_add(1, std::memory_order_relaxed))
      part(p * size, std::min(count, (p + 1) * size));
  });
}

}  // namespace tl::ops
