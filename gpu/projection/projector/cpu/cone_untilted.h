// Fast CPU loops of the projector for circular cone-beam scans without tilt (detector columns parallel to z).
#pragma once

#include <cstdint>

#include "core/base/cancel.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// Whether the rays of every detector column lie in a plane parallel to z, cross lines along x or y, and are spaced by
// about one voxel: sixteen rows are then processed as one vector. Other scans use the generic loops.
bool is_cone_untilted(const ProjectTask& task);

// volume [z, y, x] -> projections [view, row, col], overwritten, in float32. Positions across x and y are computed in
// double, heights in double once per sixteen rows. Each thread owns whole views and adds tiles in order: the result
// does not depend on the number of threads.
void project_cone_untilted(const ProjectTask& task, const float* volume, float* projections, const CancelToken& cancel);

// The transpose; the volume is overwritten. Each thread owns tiles of voxels.
void project_cone_untilted_transpose(const ProjectTask& task, const float* projections, float* volume,
                                     const CancelToken& cancel);

}  // namespace tl::ops
