// Fast back-projection for any geometry and any grid: blocks of 4 x 4 voxels, each with a small window of the detector.
#pragma once

#include "core/base/cancel.h"
#include "gpu/ops/back_projector_math.h"

namespace tl::ops {

// projections [view, row, col] -> volume [z, y, x], overwritten. Positions are computed in double for the middle of a
// block and in float within it. Views are added in groups of a fixed size, so the result does not depend on the number
// of threads. Needs no copy of the views.
void back_project_blocks(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel);

}  // namespace tl::ops
