// Fast CPU loops of the transposed back-projection for scans in which every voxel column along z projects into a single
// detector column.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/cpu/columns.h"

namespace tl::ops {

// volume [z, y, x] -> projections [view, row, col], overwritten; `kind` must not be none. Positions are computed in
// double, sums in float. Each thread owns whole views, so the result does not depend on the number of threads.
void back_project_columns_transpose(const BackProjectTask& task, ColumnKind kind, const float* volume,
                                    float* projections, const CancelToken& cancel);

}  // namespace tl::ops
