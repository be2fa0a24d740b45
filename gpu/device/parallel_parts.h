// Parallel loops whose parts go to whichever thread is free.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "gpu/device/helping_threads.h"

namespace tl::ops {

// Calls part(begin, end) for parts of up to `size` of the indices 0 to count - 1; every thread gets `part` from
// `make()`, so that it has memory of its own. at::parallel_for gives each thread its share beforehand and waits for all
// of them: where other programs keep cores busy, for threads that have none. A result must not depend on which thread
// computes a part.
template <class Make>
void parallel_parts(int64_t count, int64_t size, const Make& make) {
  const int64_t parts = (count + size - 1) / size;
  std::atomic<int64_t> next{0};
  with_helpers(std::min<int64_t>(parts, at::get_num_threads()) - 1, [&] {
    int64_t p = next.fetch_add(1, std::memory_order_relaxed);
    if (p >= parts) return;
    try {
      auto part = make();
      for (; p < parts; p = next.fetch_add(1, std::memory_order_relaxed))
        part(p * size, std::min(count, (p + 1) * size));
    } catch (...) {
      next.store(parts, std::memory_order_relaxed);
      throw;
    }
  });
}

// at::parallel_for(0, count, grain, part) with several parts for each thread. `part` may be called for any range:
// memory that it makes is made for each.
template <class Part>
void parallel_ranges(int64_t count, int64_t grain, const Part& part) {
  constexpr int64_t parts_of_thread = 6;
  const int64_t parts = parts_of_thread * at::get_num_threads();
  const int64_t size = std::max({int64_t{1}, grain, (count + parts - 1) / parts});
  if (count <= 0) return;
  if (count <= size || at::get_num_threads() == 1) return part(int64_t{0}, count);
  parallel_parts(count, size, [&part] { return [&part](int64_t begin, int64_t end) { part(begin, end); }; });
}

}  // namespace tl::ops
