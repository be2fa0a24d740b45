// Fast back-projection of grids whose lines of voxels land along the rows of the detector: oblique planes, slightly
// tilted scans.
#pragma once

#include "core/base/cancel.h"
#include "gpu/device/half.h"
#include "gpu/projection/back_projector/math.h"

namespace tl::ops {

// As back_project_blocks. Does nothing and answers false where the processor has no AVX-512 or the geometry is another.
// A tile copies the part of the detector that it sees, of a few views at a time; a plane is computed with x and y in
// exchange, in memory of its own, where that is what lands along rows.
template <class Stored>
bool back_project_strips(const BackProjectTask& task, const Stored* projections, float* volume,
                         const CancelToken& cancel);

}  // namespace tl::ops
