// Consistency of the zeroth and first moments of the views of a parallel beam.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/geometry.h"

namespace tl::ops {

struct MomentWeights {
  double mass = 1, across = 1, along = 1;
};

// If all views show the object completely, they have the same mass, and their centres of mass are the projections of
// one point (S. Helgason; D. Ludwig, Comm. Pure Appl. Math. 19, 1966): across the rotation axis they follow a cos t + b
// sin t, along it they are constant. The score is
//   mass * relative variance of the masses + across * mean square deviation from the best a, b [px^2]
//   + along * variance of the height [px^2].
// projections [view, row, col]; vectors [view, 12] float64 as in ScanGeometry, of a parallel beam perpendicular to the
// rotation axis. 0-dim float64, differentiable with respect to both, any number of times; sums in a fixed order. Shifts
// of the form a cos t + b sin t across the axis, and a common shift along it, have no effect: they are equivalent to
// moving the object.
at::Tensor moment_consistency(const at::Tensor& projections, const at::Tensor& vectors, const DetectorShape& detector,
                              const MomentWeights& weights);

// Mean squares [px^2] of displacements across the rotation axis and along it.
struct MomentErrors {
  double across = 0, along = 0;
};

// Estimated errors of shifts found by this score because views do not show the whole object; 0 for noiseless complete
// views. Matter in the outermost rows (columns) means that there is more outside, so that a displaced view shows
// another part of it: as far from the centre as the matter at these ends. Masses that differ by more than that mean
// that matter is missing elsewhere, in the worst case at the edge.
MomentErrors moment_error_estimate(const at::Tensor& projections, const at::Tensor& vectors,
                                   const DetectorShape& detector, const MomentWeights& weights);

}  // namespace tl::ops
