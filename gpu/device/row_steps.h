// Steps over the rows of images, where a step needs neighbouring rows of the previous one, in one parallel region:
// waking all threads for each of a hundred steps takes longer than the steps of a small image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct RowStep {
  std::function<void(int64_t begin, int64_t end)> run;  // computes these rows
  // The step begins when all rows of the first `waits_for` steps are finished. The thread's own rows are always
  // finished in every earlier step.
  std::size_t waits_for = 0;
};

// Calls the steps in order, every thread for its own rows. If a step throws, all threads stop, and the exception is
// rethrown. Throws Failure: cancelled, between steps.
void run_row_steps(int64_t rows, const std::vector<RowStep>& steps, const CancelToken& cancel);

}  // namespace tl::ops
