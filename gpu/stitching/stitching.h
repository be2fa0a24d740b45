// Scans joined to larger ones: a full turn with the axis beside the middle to a half turn, and two heights to one.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "gpu/axis/axis_result.h"

namespace tl::ops {

// How a full turn of a parallel beam becomes a half turn. Pixel c of a view at t and pixel (cols - 1) + 2 axis - c of
// the view at t + pi see the same rays.
struct HalfTurnPlan {
  int64_t cols = 0;                    // of the result: cols + floor(2 |axis|)
  int64_t first = 0;                   // column of the result on which column 0 of the first views lies
  double axis = 0;                     // in the result [px from its centre]
  std::vector<int64_t> views;          // of the scan that make the half turn, in its order
  std::vector<int64_t> before, after;  // for each: the views around the opposite angle
  std::vector<double> share;           // of `after`
};
// angles [rad] rise or fall steadily over one turn. Errors: invalid when they do not cover a turn, or no column
// overlaps.
Result<HalfTurnPlan> plan_half_turn(const std::vector<double>& angles, int64_t cols, double axis);

// Absorption or transmission [view, row, col] of the whole turn to [half, row, plan.cols]: each view is prolonged by
// its mirrored opposite, linear between columns and views, and over the columns that both see they are blended
// linearly. float32 or float64, linear, differentiable. Errors: invalid for shapes.
Result<at::Tensor> stitch_half_turn(const at::Tensor& projections, const HalfTurnPlan& plan, double axis);

// The rotation axis of a full turn from the columns that opposite views share: the squared difference of the two over
// the sum of their variances, for all positions that leave an eighth of the detector (at least 8 columns) in common;
// coarse on joined columns, then fine, with a parabola through the lowest scores. The uncertainty comes from four
// interleaved parts of the views. Rows are taken together. Conventions of axis_result.h; the search range is that of
// `search`, at most what can overlap.
AxisResult find_half_turn_overlap(const at::Tensor& projections, const std::vector<double>& angles,
                                  const AxisSearch& search);

// Two scans above each other with `overlap` rows in common, [view, row, col] each: those rows are blended linearly.
// float32 or float64, differentiable. Errors: invalid when views or columns differ, or the overlap is
// larger than one of the scans.
Result<at::Tensor> stitch_rows(const at::Tensor& upper, const at::Tensor& lower, int64_t overlap);

// The number of rows that the bottom of `upper` and the top of `lower` share, as AxisResult::axis [rows] with verdict:
// lowest squared difference over the sum of the variances, parabola, uncertainty from four interleaved parts of the
// views. search: centre and reach in rows; reach 0 = all possible overlaps of 2 rows and more.
AxisResult find_row_overlap(const at::Tensor& upper, const at::Tensor& lower, const AxisSearch& search);

}  // namespace tl::ops
