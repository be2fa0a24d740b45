// The skeleton of a mask: centre lines and surfaces one voxel thick.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// Thins a mask (bool, [z, y, x], CPU) until only voxels are left whose removal would change the connectivity: T. C.
// Lee, R. L. Kashyap, C. N. Chu, Building skeleton models via 3-D medial surface/axis thinning algorithms, CVGIP:
// Graphical Models and Image Processing 56, 462 (1994). Ends of lines are kept; voxels that touch at a corner are
// connected; outside the border is background. Equal to scikit-image's result voxel for voxel, for any number of
// threads. Errors: invalid for shapes and types; throws Failure{cancelled}.
Result<at::Tensor> skeleton(const at::Tensor& mask, const CancelToken& cancel);

}  // namespace tl::ops
