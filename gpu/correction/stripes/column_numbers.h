// Numbers of each column of a sinogram that indicate stripes: medians over blocks of views. Internal to evidence.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "gpu/correction/stripes/block_medians.h"
#include "gpu/correction/stripes/view_differences.h"

namespace tl::ops {

// Views are averaged in blocks of consecutive views (ViewDifferences), after averaging views at equal angles. An object
// edge that passes a column changes few blocks, and a median over blocks can be computed for many columns at a time.
// One entry per column; those of steps and bends belong to a column and the next one.
struct ColumnNumbers {
  int64_t cols = 0, blocks = 0, views_of_block = 1;
  std::vector<BlockWindow> windows;       // all blocks, then five thirds of them that overlap by half
  std::vector<float> means;               // [block, col] of the values
  std::vector<std::vector<double>> step;  // per window: median step
  std::vector<double> middle;             // median of the values
  std::vector<double> roughness;          // |second differences along the views|
  std::vector<double> whiteness;          // |fourth differences| divided by it: 3.4 for noise, < 1 for smooth signals
  std::vector<double> step_noise;         // standard deviation in one view
  std::vector<double> step_spread;        // median of |step - its median|
  std::vector<double> quantum;            // difference of neighbouring counts; 0 or tiny if not rounded
  std::vector<double> own_quantum;        // the same from this column only; 0: the column is constant along the views
  std::vector<uint8_t> broken;            // not finite; their other numbers are those of the previous column
  double largest = 0;                     // value
  double tiny = 0;                        // variation that counts as zero: rounding of float32

  [[nodiscard]] int64_t views(const BlockWindow& w) const { return w.size() * views_of_block; }
};

// sinogram [view, col], float32 or float64 on the CPU.
ColumnNumbers column_numbers(const at::Tensor& sinogram, const ViewDifferences& views);

// Updates known numbers after the columns with `changed` = 1 have new values: only these columns, and those whose
// numbers depend on them, are read.
ColumnNumbers column_numbers(ColumnNumbers before, const at::Tensor& sinogram, const ViewDifferences& views,
                             const std::vector<uint8_t>& changed);

// [window, column] for these columns, which do not include the last one: error of the median step in each window due to
// changes along the views.
std::vector<std::vector<double>> step_errors(const ColumnNumbers& numbers, const std::vector<int64_t>& columns);

}  // namespace tl::ops
