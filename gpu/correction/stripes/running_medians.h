// Running medians of several lists, whose lanes are the lists.
#pragma once

#include <cstdint>
#include <vector>

namespace tl::ops {

// For each list, the median over `size` (odd) neighbouring values, mirrored at the ends. No NaN allowed. Eight lists of
// similar length take hardly longer than one.
std::vector<std::vector<double>> running_medians(const std::vector<std::vector<double>>& lists, int64_t size);

}  // namespace tl::ops
