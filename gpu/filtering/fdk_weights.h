// FDK cosine weights: the factor of each detector pixel before the ramp filter.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Diagonal operator over [view, row, col] that multiplies a pixel by
//   view_weights[view] * D / sqrt(D^2 + (U - tau)^2 + (V - zeta)^2) * (1 - tau (U - tau) / D^2).
// (U, V) is the intersection of the pixel's ray with the virtual detector, the plane through the rotation axis that is
// parallel to the detector but for its pitch; the source is at distance D from that plane and at (tau, zeta) along its
// axes. The first factor is Feldkamp, Davis and Kress (1984). The second is the Jacobian for a source that is not on
// the normal through the axis (Gullberg, Crawford and Tsui 1986): with tan g = (U - tau) / D a ray has s = U cos g and
// theta = beta - g, so ds dtheta = cos^3 g (1 - tau/D tan g) dU dbeta, of which 1/cos^2 g is part of the distance
// weight (D / depth)^2 of the back-projector. Exact in the source's plane for any flat detector, displaced or rotated
// about an axis along z. In a parallel beam only the view weights remain.
//
// On a detector with a pitch a row is at another depth than the next one: it has its own pitch on the virtual detector,
// by which the ramp filter scales, and the back-projector's distance weight is that of the depth along the detector's
// normal, not the virtual detector's. Both ratios are the same along a row without roll: the weights include them, and
// FDK with a pitch is that of the virtual detector. With s = |u| / detector().pitch_u in a view and h the normal of the
// virtual detector, whose distances along h are D and r.h and whose distances along the detector's normal are D_n and
// depth_n, they are (D depth_n / D_n) / |r| / s * (1 - tau (U - tau) / D^2).
//
// A roll is not corrected: rows are filtered along themselves, and rays weighted and back-projected as they are.
//
// FDK = these weights with view_weights.h, ramp filter with the pitch on the virtual detector (pitch_u /
// magnification), back-projection with DistanceWeight::fdk. view_weights: [rad], one per view, or empty for 1. Errors:
// invalid if a detector is perpendicular to the axis, or the axis is behind the source.
Result<OperatorPtr> make_fdk_weights(const ScanGeometry& geometry, std::vector<double> view_weights = {});

// The same weights [view, row, col] without the view weights, in float64, differentiable with respect to the [view, 12]
// float64 vectors: for geometries that are being learned.
at::Tensor differentiable_fdk_weights(const at::Tensor& vectors, Beam beam, const DetectorShape& detector);

}  // namespace tl::ops
