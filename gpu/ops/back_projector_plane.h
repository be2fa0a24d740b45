// Fast back-projection of plane slices and its derivative along one direction: every view sees a slice in one line.
#pragma once

#include "core/base/cancel.h"
#include "gpu/ops/back_projector_math.h"

namespace tl::ops {

// Whether every slice lands on one detector row (perhaps between two) of each view, before and after a change of the
// geometry, in front of the source and without a distance weight: parallel and fan beams, the middle plane of a cone
// beam.
[[nodiscard]] bool plane_fits(const BackProjectTask& task, const ViewMap* changes);

// projections [view, row, col] -> volume and its derivative [z, y, x], both overwritten. Positions are computed in
// double for the middle of a block of voxels and in float within it. Views are added in groups of a fixed size, so the
// result does not depend on the number of threads.
void back_project_plane(const BackProjectTask& task, const ViewMap* changes, const float* projections, float* volume,
                        float* slope, const CancelToken& cancel);

}  // namespace tl::ops
