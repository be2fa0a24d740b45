// Voxel-driven back-projector with linear interpolation of the detector, onto any grid, and its exact transpose.
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/device/kernel_choice.h"
#include "gpu/operator/linear_operator.h"

namespace tl {

// Weight of a voxel in a view. fdk: (D / depth)^2 with D the depth of the origin (source-to-axis distance) and the
// depth of the voxel, both from the source along the detector normal (Feldkamp, Davis and Kress 1984); 1 in a parallel
// beam.
enum class DistanceWeight { none, fdk };

// How a card keeps the views while it back-projects in float32. half: 16 bits, each view relative to its largest value;
// half the memory traffic, and an error of at most 2^-11 of each detector value (and 6e-8 of the view's largest). The
// processor keeps what it is given.
enum class ViewStorage { full, half };

struct BackProjectorSpec {
  ScanGeometry geometry;
  VolumeGrid grid;
  DistanceWeight distance = DistanceWeight::none;
  CancelToken cancel{};  // looked at between rows of voxels and between views
  KernelChoice kernel = KernelChoice::fastest;
  ViewStorage storage = ViewStorage::full;
};

// apply: [view, row, col] -> [z, y, x], the sum over views of the detector value where the voxel centre lands,
// bilinear, times the distance weight; nothing else is multiplied in. Samples outside the detector count as 0, so a
// value fades linearly within one pixel of the edge. adjoint: the exact transpose. The gradient to the view vectors is
// that of the interpolated signal; at a kink (a landing on a pixel centre) it is the mean of the one-sided slopes.
// Detector positions are computed in double; on a card, in float32, in double for the middle of a tile of voxels and in
// float within it. All directions run on the processor and on cards, in float32 and float64; apply() also takes float16
// views (half_views.h) and gives, in float32, what it gives for the same numbers in float32. Errors: invalid (grid),
// and in apply() shapes, types; unavailable (device).
Result<OperatorPtr> make_back_projector(BackProjectorSpec spec);

}  // namespace tl
