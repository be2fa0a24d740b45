// Smoothed integrals along single lines in some views, by cubic interpolation between those of a table.
#pragma once

#include <memory>
#include <vector>

#include "gpu/alignment/epipolar/line_table.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Lines y = height + slope x, with x [columns] and y [rows, up] from the middle of a detector: several in each of some
// views, which may be named more than once.
struct LinesOfViews {
  std::vector<int64_t> views;  // [set]
  at::Tensor slope, height;    // [set, line] float64 [rows / column], [rows]
  at::Tensor wanted;           // [set, line] bool: the others have the value 0
};

// [view, row, col], float32 or float64 -> [set, line] float64: what a LineTable holds at the lines, by Catmull and
// Rom's cubics. Lines have to stay within the rows by two and a half of them. A thread makes the table of one view at a
// time. CPU; the transpose is exact and adds in a fixed order.
class LineValues : public LinearOperator {
 public:
  struct WithSlopes {
    at::Tensor value, by_slope, by_height;  // [set, line]
  };
  [[nodiscard]] virtual WithSlopes with_slopes(const at::Tensor& x) const = 0;
};
std::shared_ptr<const LineValues> make_line_values(int64_t views, const LineGrid& grid, at::ScalarType type,
                                                   LineValue value, double width, LinesOfViews lines);

}  // namespace tl::ops
