// Fast CPU back-projection if lines of voxels project along detector rows: oblique planes, slightly tilted scans.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// Like back_project_blocks(). Returns false and does nothing if the CPU has no AVX-512 or the geometry does not fit.
// For each tile, the detector pixels it needs are copied, a few views at a time. If voxels along y rather than x
// project along rows, a single plane is computed with x and y exchanged, in separate memory.
bool back_project_strips(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel);

}  // namespace tl::ops
