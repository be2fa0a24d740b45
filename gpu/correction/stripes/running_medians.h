// Running medians of several lists of the same length, whose lanes are the lists.
#pragma once

#include <cstdint>
#include <vector>

namespace tl::ops {

// Of each list, the median over `size` (odd) neighbouring values, mirrored at the ends. The lists have the same length
// and hold numbers: no NaN.
std::vector<std::vector<double>> running_medians(const std::vector<std::vector<double>>& lists, int64_t size);

}  // namespace tl::ops
