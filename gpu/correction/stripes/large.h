// Removal of large stripes (Vo): outlying columns get values of equal rank from the columns around them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {

// Whether columns without a stripe keep their values (keep), or are adjusted to the level of their neighbours (level).
// The paper does the latter, which also flattens structures of the object on the rotation axis.
enum class ColumnLevels { keep, level };

struct LargeStripeSpec {
  double snr = 3;     // larger: finds only stronger stripes
  int64_t size = 51;  // [columns] window for the usual level, odd; more than twice the widest stripe
  double drop = 0.1;  // fraction of the smallest and of the largest values of a column that are excluded from its level
  StripeModel model = StripeModel::offset;
  ColumnLevels levels = ColumnLevels::keep;
  CancelToken cancel;  // checked between rows
};

struct StripeRemovalResult {
  at::Tensor projections;
  int64_t columns = 0;  // columns with a stripe, summed over rows
};

// After algorithm 5 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018), for each detector row of [view, row,
// col]: the level of each column (mean of its values without the smallest and largest) relative to the usual level
// around it (ratio or difference, by the model) indicates stripes (detect_stripes()). These columns and their
// neighbours are sorted by value, and each rank is interpolated linearly between the values of that rank in the nearest
// other columns. Deviations below 5e-3 of the level are never a stripe. Two differences from the paper, whose medians
// over `size` columns are wrong by several per cent next to a wide stripe on a slope. First, the usual level is the
// median of the means of symmetric pairs, in which slopes cancel; the strongest stripes are treated first, and only
// columns with a box-like profile are stripes (round parts of the object rise more gently). Second, values come from
// the nearest columns instead of a median over all of them. float32 or float64 on the CPU; the gradient passes to the
// chosen values. Errors: invalid for shapes, sizes, a drop outside 0 to 0.45.
Result<StripeRemovalResult> remove_large_stripes(const at::Tensor& projections, const LargeStripeSpec& spec);

// Replaces the marked columns of [view, col] (CPU): each rank is interpolated linearly between the values of that rank
// in the nearest unmarked columns. Unchanged if all columns are marked, or none.
at::Tensor values_of_equal_rank(const at::Tensor& sinogram, const std::vector<uint8_t>& marked);

// The nearest unmarked columns to the left and right of a column, and its relative position between them.
struct ColumnNeighbours {
  int64_t left, right;
  double share;  // weight of `right`
};
// Empty if every column is marked. At an edge both sides are the nearest unmarked column.
std::vector<ColumnNeighbours> gaps_between(const std::vector<uint8_t>& marked);

}  // namespace tl::ops
