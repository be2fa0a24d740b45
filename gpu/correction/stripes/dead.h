// Removal of unresponsive and fluctuating stripes (Vo), and the combination of all of Vo's methods.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "gpu/correction/stripes/large.h"

namespace tl::ops {

struct DeadStripeSpec {
  double snr = 3;            // larger: finds only stronger stripes
  int64_t size = 51;         // [columns] window of the median for the usual variation, odd
  int64_t view_window = 11;  // [views] window of the moving average, odd
  CancelToken cancel;        // checked between rows
};

// Algorithm 6 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of [view, row, col]:
// the variation of a column around its moving average along the views, relative to the median of its neighbours,
// indicates unresponsive and fluctuating columns (detect_stripes()). These and their direct neighbours are interpolated
// linearly between the nearest other columns (at an edge: the value of the nearest one). Columns with 0.5 to 2 times
// the variation of their neighbours are never stripes. float32 or float64 on the CPU; differentiable except for the
// choice of columns. Errors: invalid for shapes and sizes.
Result<StripeRemovalResult> remove_dead_stripes(const at::Tensor& projections, const DeadStripeSpec& spec);

// Interpolates the marked columns of [view, col] linearly between the nearest unmarked ones; unchanged if all are
// marked.
at::Tensor interpolated_columns(const at::Tensor& sinogram, const std::vector<uint8_t>& marked);

struct AllStripesSpec {
  double snr = 3;
  int64_t large_size = 61;  // columns, odd
  int64_t small_size = 5;   // columns, odd; see default_stripe_size()
  StripeModel model = StripeModel::offset;
  ColumnLevels levels = ColumnLevels::keep;
  CancelToken cancel;
};

// The combination proposed in the paper: remove_dead_stripes(), then remove_large_stripes(), then
// remove_stripes_by_sorting(), one sinogram after the other.
Result<StripeRemovalResult> remove_all_stripes(const at::Tensor& projections, const AllStripesSpec& spec);

}  // namespace tl::ops
