// Steps over the rows of images, each of which needs others before it, in one parallel region: waking all threads for
// each of a hundred steps takes longer than the steps of a small image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct RowStep {
  std::function<void(int64_t begin, int64_t end)> run;  // computes these rows
  // It begins when all rows of that many steps, counted from the first, are done. Its own rows are done in every step
  // before it.
  std::size_t waits_for = 0;
};

// Calls the steps in order, every thread for rows of its own. What a step throws ends all, and is thrown.
// Throws Failure: cancelled, between steps.
void run_row_steps(int64_t rows, const std::vector<RowStep>& steps, const CancelToken& cancel);

}  // namespace tl::ops
