// Fast loops of the back-projector for scans in which every column of voxels along z lands in one detector column.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/math.h"

namespace tl::ops {

// none: the generic loops. fixed_rows: each slice sees the same fractional detector row from every voxel (plain
// circular parallel scan, grid upright). moving_rows: rows are a linear function of z that differs from voxel to voxel
// (plain circular cone scan, grid upright).
enum class ColumnKind { none, fixed_rows, moving_rows };

ColumnKind column_kind(const BackProjectTask& task);

// How many views of so many floats are copied at a time: the copies stay well below a tenth of what goes in and out.
int64_t views_at_once(const BackProjectTask& task, int64_t view_floats);

// projections [view, row, col] -> volume [z, y, x], overwritten, for a kind other than none. Views are added in their
// order, by groups whose sums are kept in registers, so the result does not depend on the number of threads.
void back_project_columns(const BackProjectTask& task, ColumnKind kind, const float* projections, float* volume,
                          const CancelToken& cancel);

}  // namespace tl::ops
