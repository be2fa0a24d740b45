// Consistency of the zeroth and first moments of the views of a parallel beam.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/geometry.h"

namespace tl::ops {

struct MomentWeights {
  double mass = 1, across = 1, along = 1;
};

// All views of an object that they see completely have the same mass, and their centres of mass are the projections of
// one point (S. Helgason; D. Ludwig, Comm. Pure Appl. Math. 19, 1966): in a plane across the rotation axis they follow
// a cos t + b sin t, along it they stand still. The score is
//   mass * relative variance of the masses + across * mean square deviation from the best a, b [px^2]
//   + along * variance of the height [px^2].
// projections [view, row, col]; vectors [view, 12] float64 as in ScanGeometry, of a parallel beam across the rotation
// axis. 0-dim float64, differentiable with respect to both, any number of times; sums in a fixed order. What every
// circle of shifts a cos t + b sin t does to the first, and a common shift to the second, cannot be seen: it moves the
// object.
at::Tensor moment_consistency(const at::Tensor& projections, const at::Tensor& vectors, const DetectorShape& detector,
                              const MomentWeights& weights);

// How far what is found by it may be displaced because views do not see the object completely, as a mean square [px^2];
// 0 for noiseless views that do. Masses that differ tell what is missing somewhere, at the worst at the edge; matter in
// the outermost rows (columns) tells that more lies beyond, so that a view that is moved sees another part of it.
double moment_doubt(const at::Tensor& projections, const at::Tensor& vectors, const DetectorShape& detector,
                    const MomentWeights& weights);

}  // namespace tl::ops
