// Fast loops of the projector for scans whose detector columns stand upright: circular cone beam, no tilt.
#pragma once

#include <cstdint>

#include "core/base/cancel.h"
#include "gpu/projection/projector/math.h"

namespace tl::ops {

// Whether the rays of every detector column lie in a plane along z, cross lines along x or y, and are spaced by about
// one voxel: then sixteen rows are one vector. Others take the generic loops.
bool is_cone_untilted(const ProjectTask& task);

// volume [z, y, x] -> projections [view, row, col], overwritten, in float32. Lines along x and y are computed in
// double, heights in double per sixteen rows. A thread owns whole views and adds tiles in their order: no bit depends
// on the number of threads.
void project_cone_untilted(const ProjectTask& task, const float* volume, float* projections, const CancelToken& cancel);

// Its transpose, overwritten: a thread owns tiles of voxels.
void project_cone_untilted_transpose(const ProjectTask& task, const float* projections, float* volume,
                                     const CancelToken& cancel);

}  // namespace tl::ops
