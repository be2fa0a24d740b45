// Stitching of scans: a full turn with displaced axis to a half turn of wider views, and two heights to one scan.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "gpu/axis/axis_result.h"

namespace tl::ops {

// Plan for converting a full turn of a parallel beam to a half turn. Pixel c of the view at t and pixel (cols - 1) + 2
// axis - c of the view at t + pi measure the same ray.
struct HalfTurnPlan {
  int64_t cols = 0;                    // number of columns of the result: cols + floor(2 |axis|)
  int64_t first = 0;                   // column of the result at which column 0 of the first views is placed
  double axis = 0;                     // rotation axis in the result [px from its centre]
  std::vector<int64_t> views;          // views of the scan that form the half turn, by ascending angle
  std::vector<int64_t> before, after;  // for each view of them: the views next to the opposite angle
  std::vector<double> share;           // weight of `after`
};
// angles [rad] in any order, including repeated ones; angles are equivalent modulo a full turn. Errors: invalid if they
// do not cover a turn, or no columns overlap.
Result<HalfTurnPlan> plan_half_turn(const std::vector<double>& angles, int64_t cols, double axis);

// Absorption or transmission [view, row, col] of the whole turn -> [half, row, plan.cols]: each view is extended by its
// mirrored opposite view, interpolated linearly between columns and views; the common columns are blended linearly.
// float32 or float64, linear, differentiable. Errors: invalid for shapes.
Result<at::Tensor> stitch_half_turn(const at::Tensor& projections, const HalfTurnPlan& plan, double axis);

// The rotation axis of a full turn from the common columns of opposite views: minimum of the squared difference divided
// by the sum of the variances, for all positions with at least an eighth of the detector (and 8 columns) in common.
// Coarse search on binned columns, then fine, with a parabola through the lowest scores. The uncertainty comes from
// four interleaved parts of the views. All rows are used together. Conventions of axis_result.h; the search range is
// that of `search`, limited to overlapping positions.
AxisResult find_half_turn_overlap(const at::Tensor& projections, const std::vector<double>& angles,
                                  const AxisSearch& search);

// Joins two scans at different heights with `overlap` common rows, [view, row, col] each; the common rows are blended
// linearly. float32 or float64, differentiable. Errors: invalid if views or columns differ, or the overlap is larger
// than one of the scans.
Result<at::Tensor> stitch_rows(const at::Tensor& upper, const at::Tensor& lower, int64_t overlap);

// The number of rows common to the bottom of `upper` and the top of `lower`, as AxisResult::axis [rows] with verdict:
// minimum of the squared difference over the sum of the variances, parabola, uncertainty from four interleaved parts of
// the views. search: centre and reach in rows; reach 0 = all possible overlaps of 2 rows and more.
AxisResult find_row_overlap(const at::Tensor& upper, const at::Tensor& lower, const AxisSearch& search);

}  // namespace tl::ops
