// Lines in which planes common to two views cut their detectors, and the differences of what both views have there.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/geometry.h"
#include "gpu/alignment/epipolar/line_values.h"

namespace tl::ops {

// The planes of a pair are counted by k = plane - (planes - 1) / 2; in a view the line of plane k is
// (nu0 + k nu1) x + (nv0 + k nv1) y + off0 + k off1 = 0, with x [columns] and y [rows, up] from the middle of the
// detector. What is integrated along it counts times
//   cone beam:     area / (nv |nv|),
//   parallel beam: area / |nv|,     nv = nv0 + k nv1.
// A tensor [2, pair, 7] float64 holds the fans of the first and of the second views, in this order:
struct Fan {
  enum Entry : int64_t { nu0, nu1, nv0, nv1, off0, off1, area, entries };
};

struct PairLines {
  at::Tensor slope, height;  // [2 pair, plane]: the first views, then the second
  // [2 pair, plane] bool: pairs of lines that cross both detectors from the left to the right edge, some rows away from
  // top and bottom.
  at::Tensor wanted;
};
PairLines lines_of_fans(const at::Tensor& fans, const DetectorShape& detector, Beam beam);

struct PairDifferences {
  at::Tensor difference;  // [pair, plane]: weight times the difference, over what equal noise in both would make of it
  at::Tensor weight_square;  // [pair]: sum over the planes
};
// Of the line values, at fixed lines: differentiable functions of what a view has at them (`values`, [2 pair, plane])
// and of the fans, through which lines move (`by_slope`, `by_height`).
PairDifferences pair_differences(const at::Tensor& fans, const LineValues::WithSlopes& lines,
                                 const DetectorShape& detector, Beam beam);
// Along a change of the fans and of the values; either may be undefined.
PairDifferences pair_differences_along(const at::Tensor& fans, const LineValues::WithSlopes& lines,
                                       const at::Tensor& fans_change, const at::Tensor& values_change,
                                       const DetectorShape& detector, Beam beam);
struct PairGradients {
  at::Tensor fans, values;
};
// From the gradients to both results, of which either may be undefined.
PairGradients pair_gradients(const at::Tensor& fans, const LineValues::WithSlopes& lines,
                             const PairDifferences& gradients, const DetectorShape& detector, Beam beam);

}  // namespace tl::ops
