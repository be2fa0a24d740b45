// StepThreads: with how many threads the steps of a training were computed. The bits of its weights depend on it.
#pragma once

#include <functional>
#include <string>

namespace tl::train {

struct StepThreads {
  int fewest = 0, most = 0;  // 0: no step yet, or not known
  void add(int threads);
};

// Called at the beginning of a step: adapts its number of threads to the free cores, and records it in `steps`. Warns
// once if the number differs from those before an interruption.
void count_threads(StepThreads& steps, StepThreads& before_break, const std::function<void(const std::string&)>& warn);

// A warning if steps with `threads` follow steps with `before`; "" if the weights are bit-identical to an uninterrupted
// training, or `before` is not known.
std::string resumed_with_other_threads(const StepThreads& before, int threads);

}  // namespace tl::train
