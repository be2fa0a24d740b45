// Ray-driven forward projector (Joseph) of any grid into any scan, and its exact transpose.
#pragma once

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/device/kernel_choice.h"
#include "gpu/operator/linear_operator.h"

namespace tl {

struct ProjectorSpec {
  ScanGeometry geometry;
  VolumeGrid grid;
  CancelToken cancel{};  // checked between detector rows and between voxel tiles
  KernelChoice kernel = KernelChoice::fastest;
};

// apply: [z, y, x] -> [view, row, col], line integrals through the pixel centres in mm times the unit of the volume (P.
// M. Joseph, IEEE Trans. Med. Imaging 1, 1982): one bilinear sample per slice across the ray's main axis; voxels
// outside the grid count as 0. Cone-beam rays are the infinite lines through source and pixel: a volume that reaches
// behind the source or the detector is integrated there too. adjoint: the exact transpose. The gradient with respect to
// the view vectors is that of the interpolated volume; at a kink it is the mean of the one-sided slopes. Positions are
// computed in double; along z, the fast loops for cone beams without tilt compute every sixteenth position in double.
// Parallel and cone beams without tilt have fast loops (cone: float32 only); the vector gradient has one loop for all.
// Errors: invalid (grid), and in apply() shapes, types; unavailable (device).
Result<OperatorPtr> make_projector(ProjectorSpec spec);

}  // namespace tl
