// Values between the lines of a table of line integrals, by cubic interpolation.
#pragma once

#include <memory>
#include <vector>

#include "gpu/alignment/epipolar/line_table.h"

namespace tl::ops {

// Lines that are looked up: several in each of some views, which may be named more than once.
struct LinesOfViews {
  std::vector<int64_t> views;  // [set]
  at::Tensor slope, height;    // [set, line] float64: as LineGrid counts them [rows / column], [rows]
};

enum class LookUp { value, by_slope, by_height };

// [view, slope, height], float32 or float64 -> [set, line] float64: the value (Catmull and Rom's cubics), or its
// derivative. Lines outside of the table take its edge. CPU; the transpose is exact and adds in a fixed order.
OperatorPtr make_line_lookup(int64_t views, const LineGrid& grid, at::ScalarType type,
                             std::shared_ptr<const LinesOfViews> lines, LookUp what);

}  // namespace tl::ops
