// Voxel-driven back-projector onto any grid, with linear interpolation on the detector, and its exact transpose.
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/device/kernel_choice.h"
#include "gpu/operator/linear_operator.h"

namespace tl {

// Weight of a voxel in a view. fdk: (D / depth)^2, where D is the depth of the origin (source-to-axis distance) and
// depth that of the voxel, both from the source along the detector normal (Feldkamp, Davis and Kress 1984); 1 in a
// parallel beam.
enum class DistanceWeight { none, fdk };

// Storage of the views on a GPU during back-projection in float32. half: 16 bits, each view relative to its largest
// value; half the memory traffic, with an error of at most 2^-11 of each detector value (and 6e-8 of the view's
// largest). The CPU uses the views unchanged.
enum class ViewStorage { full, half };

struct BackProjectorSpec {
  ScanGeometry geometry;
  VolumeGrid grid;
  DistanceWeight distance = DistanceWeight::none;
  CancelToken cancel{};  // checked between rows of voxels and between views
  KernelChoice kernel = KernelChoice::fastest;
  ViewStorage storage = ViewStorage::full;
};

// apply: [view, row, col] -> [z, y, x], the sum over views of the bilinearly interpolated detector value at the
// projection of the voxel centre, times the distance weight; no other factor. Samples outside the detector count as 0,
// so that a value fades linearly within one pixel of the edge. adjoint: the exact transpose. The gradient with respect
// to the view vectors is that of the interpolated signal; at a kink (a voxel projected exactly onto a pixel centre) it
// is the mean of the one-sided slopes. Detector positions are computed in double; on a GPU with float32 data, in double
// for the middle of a tile of voxels and in float within it. All directions run on CPU and GPU, in float32 and float64.
// Errors: invalid (grid), and in apply() shapes, types; unavailable (device).
Result<OperatorPtr> make_back_projector(BackProjectorSpec spec);

}  // namespace tl
