// Integrals along the lines that cross a view from its left to its right edge, smoothed across them: a table per view.
#pragma once

#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// The table of a detector: lines y = height + slope x, with x [columns] and y [rows, up] from the middle. Slopes are
// symmetric about 0, a step moves the ends of a line by half a pixel. Heights are half a row apart, so that cubics
// between them lose nothing: those of the rows, from the lowest one, and then those half a row above each.
struct LineGrid {
  int64_t rows = 0, cols = 0;
  int64_t slopes = 0;  // odd
  double slope_step = 0;

  [[nodiscard]] int64_t heights() const { return 2 * rows; }
  // Where the height at half rows from the lowest one is kept.
  [[nodiscard]] int64_t place(int64_t half_rows) const { return (half_rows % 2) * rows + half_rows / 2; }

  // All lines that leave through the left and the right edge, and what cubic interpolation needs next to them.
  static LineGrid crossing(int64_t rows, int64_t cols);
  [[nodiscard]] double slope(int64_t i) const { return slope_step * (static_cast<double>(i) - 0.5 * (slopes - 1.0)); }
};

enum class LineValue {
  integral,   // sum over the columns
  derivative  // of that with respect to the height
};

// [view, row, col] -> [view, slope, height] of the same type (float32 or float64): sum over columns of what a Gaussian
// of standard deviation `width` [rows] about the line, or its derivative, weighs the rows with (J. Radon's transform of
// one view). Sampled Gaussians are exact, and their noise is the same at every height, to 1e-3 from a width of 0.6 on.
// Rows outside of the detector count as 0. CPU; the transpose is exact.
OperatorPtr make_line_table(int64_t views, const LineGrid& grid, LineValue value, double width);

}  // namespace tl::ops
