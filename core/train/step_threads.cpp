// Compares numbers of threads.
#include "core/train/step_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "gpu/device/threads.h"

namespace tl::train {

void StepThreads::add(int threads) {
  fewest = fewest == 0 ? threads : std::min(fewest, threads);
  most = std::max(most, threads);
}

std::string resumed_with_other_threads(const StepThreads& before, int threads) {
  if (before.fewest == 0 || (before.fewest == threads && before.most == threads)) return {};
  const std::string then = before.fewest == before.most
                               ? std::to_string(before.most)
                               : std::to_string(before.fewest) + " to " + std::to_string(before.most);
  return "the training was begun with " + then + (before.most == 1 ? " thread" : " threads") + " and continues with " +
         std::to_string(threads) + ": its weights will differ in the last digits from an uninterrupted training";
}

void count_threads(StepThreads& steps, StepThreads& before_break, const std::function<void(const std::string&)>& warn) {
  follow_free_cores();
  const int threads = at::get_num_threads();
  if (const std::string text = resumed_with_other_threads(before_break, threads); !text.empty()) {
    if (warn) warn(text);
    before_break = {};
  }
  steps.add(threads);
}

}  // namespace tl::train
