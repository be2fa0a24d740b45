// StepThreads: with how many threads the steps of a training were computed. The bits of its weights depend on it.
#pragma once

#include <functional>
#include <string>

namespace tl::train {

struct StepThreads {
  int fewest = 0, most = 0;  // 0: no step yet, or not known
  void add(int threads);
};

// At the beginning of a step: lets it follow the free cores, and counts its threads in `steps`. Warns once if they are
// others than those of before a break.
void count_threads(StepThreads& steps, StepThreads& before_break, const std::function<void(const std::string&)>& warn);

// What a user has to know where steps with `threads` follow steps with `before`; "" if the weights are bit for bit
// those of a training that was not interrupted, or `before` is not known.
std::string resumed_with_other_threads(const StepThreads& before, int threads);

}  // namespace tl::train
