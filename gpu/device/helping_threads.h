// Threads that help with a loop as far as the machine has cores for them.
#pragma once

#include <cstdint>
#include <functional>

namespace tl::ops {

// Calls work() on this thread and meanwhile on up to `helpers` others, each of which takes what is left to do and
// returns when nothing is left. Returns when this thread's call and those that have begun are over: a helper that has
// had no core until then does not begin any more. At the end of an OpenMP region each thread must have had one, which
// next to busy programs takes longer than a short loop. In a parallel region, or with no helpers, this thread works
// alone; loops of at::parallel_for() within work() are serial. What a call throws is thrown here.
void with_helpers(int64_t helpers, const std::function<void()>& work);

}  // namespace tl::ops
