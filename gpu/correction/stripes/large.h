// Removal of large stripes (Vo): columns that stand out take the smoothed values of their ranks.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

// Whether columns in which no stripe was found keep their values, or have their level moved to that of their
// neighbours. The paper does the latter; that also flattens what the object has on the rotation axis.
enum class ColumnLevels { keep, level };

struct StripeLargeSpec {
  double snr = 3;     // larger: only stronger stripes are found
  int64_t size = 51;  // columns that the level of a column is compared with, odd; more than twice the widest stripe
  double drop = 0.1;  // share of the smallest and of the largest values of a column that its level leaves out
  StripeModel model = StripeModel::offset;
  ColumnLevels levels = ColumnLevels::keep;
  CancelToken cancel;  // looked at between rows
};

struct StripesRemoved {
  at::Tensor projections;
  int64_t columns = 0;  // in which a stripe was found, summed over rows
};

// After algorithm 5 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of
// [view, row, col]: the level of each column (mean of its values without the smallest and largest) against the usual
// one around it (ratio or difference, by the model) shows the stripes (detect_stripes()); these columns and their
// neighbours are sorted by value, and each rank takes the value that the same rank has in the nearest other columns,
// linearly in between. Deviations below 5e-3 of the level are never a stripe. Two things differ from the paper, whose
// medians over `size` columns are off by several per cent beside a wide stripe on a slope: the usual level is the
// median of the means of symmetric pairs, in which slopes cancel, the strongest stripes first, and only columns shaped
// like a box on their surroundings are a stripe (round parts of the object rise more gently); and the values come from
// the nearest columns instead of a median over all of them. float32 or float64 on the processor; the gradient goes to
// the values that were chosen. Errors: invalid for shapes, sizes, a drop outside 0 to 0.45.
Result<StripesRemoved> stripe_large(const at::Tensor& projections, const StripeLargeSpec& spec);

// The marked columns of [view, col], on the processor, with the values that the same ranks have in the nearest columns
// that are not marked, linearly in between. As it is where all are marked, or none.
at::Tensor values_of_equal_rank(const at::Tensor& sinogram, const std::vector<uint8_t>& marked);

// Where the columns that are not marked lie around each column, and how far along it is from left to right.
struct ColumnGap {
  int64_t left, right;
  double share;  // of `right`
};
// Empty when every column is marked. At an edge both sides are the nearest column that is not marked.
std::vector<ColumnGap> gaps_between(const std::vector<uint8_t>& marked);

}  // namespace tl::ops
