// How the views of a sinogram are averaged and compared with each other: the same for all rows of a scan. Internal to
// evidence.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tl::ops {

// Views at equal angles count once. The different angles are divided into 200 to 399 blocks of consecutive ones (fewer
// views: one block each); some views at the end may be in no block. Differences along the views are divided
// differences, so that a signal that is smooth in the angle appears smooth for any steps.
struct ViewDifferences {
  int64_t recorded = 0;  // views of the sinogram
  int64_t views = 0;     // of different angles
  int64_t blocks = 0, of_block = 1;
  std::vector<int64_t> group;  // if angles are repeated: index of each view's angle among the different ones
  // For each view in a block, from one (two) views before it on; 0 if there are not enough views before or after it.
  std::vector<std::array<float, 3>> second;
  std::vector<std::array<float, 5>> fourth;
};

// angles: ascending, one per view, or empty: equidistant views.
ViewDifferences view_differences(int64_t views, const std::vector<double>& angles);

}  // namespace tl::ops
