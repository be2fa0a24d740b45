// Removal of unresponsive and fluctuating stripes (Vo), and all of Vo's methods in one go.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "gpu/correction/stripes/large.h"

namespace tl::ops {

struct StripeDeadSpec {
  double snr = 3;      // larger: only stronger stripes are found
  int64_t size = 51;   // columns of the median window for the usual variation, odd
  int64_t views = 11;  // views of the moving average, odd
  CancelToken cancel;  // looked at between rows
};

// Algorithm 6 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of [view, row, col]:
// how much a column varies around its moving average along the views, relative to the median of its neighbours, shows
// columns that do not answer or that fluctuate (detect_stripes()). They and their direct neighbours are interpolated
// linearly between the nearest other columns (at an edge: the nearest one). Columns that vary by 0.5 to 2 times as much
// as their neighbours are never taken. float32 or float64 on the processor; differentiable except for which columns
// are found. Errors: invalid for shapes and sizes.
Result<StripesRemoved> stripe_dead(const at::Tensor& projections, const StripeDeadSpec& spec);

// The marked columns of [view, col] from the nearest ones that are not marked, linearly in between; as it is where all
// are marked.
at::Tensor interpolated_columns(const at::Tensor& sinogram, const std::vector<uint8_t>& marked);

struct StripeAllSpec {
  double snr = 3;
  int64_t large_size = 61;  // columns, odd
  int64_t small_size = 5;   // columns, odd; default_stripe_size() suits a detector
  StripeModel model = StripeModel::offset;
  ColumnLevels levels = ColumnLevels::keep;
  CancelToken cancel;
};

// The paper's combination: stripe_dead(), stripe_large() for what they left, stripe_sorting() for the rest; one
// sinogram after the other.
Result<StripesRemoved> stripe_all(const at::Tensor& projections, const StripeAllSpec& spec);

}  // namespace tl::ops
