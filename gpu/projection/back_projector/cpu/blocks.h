// Fast CPU back-projection for any geometry and grid: small blocks of voxels, each with a window of the detector.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// projections [view, row, col] -> volume [z, y, x], overwritten. Positions are computed in double for the middle of a
// block and in float within it. Views are added in groups of a fixed size, so that the result does not depend on the
// number of threads. The views are not copied.
void back_project_blocks(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel);

}  // namespace tl::ops
