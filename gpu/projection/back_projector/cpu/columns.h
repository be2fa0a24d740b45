// Fast CPU back-projection for scans in which every voxel column along z projects into a single detector column.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// none: use the generic loops. fixed_rows: for each slice, all voxels have the same fractional detector row (plain
// circular parallel scan, grid upright). moving_rows: rows are a linear function of z that differs from voxel to voxel
// (plain circular cone scan, grid upright).
enum class ColumnKind { none, fixed_rows, moving_rows };

ColumnKind column_kind(const BackProjectTask& task);

// Number of views of `view_floats` floats copied at a time: the copies need well below a tenth of the memory of input
// and output.
int64_t views_at_once(const BackProjectTask& task, int64_t view_floats);

// projections [view, row, col] -> volume [z, y, x], overwritten; `kind` must not be none. Views are added in order, in
// groups whose sums are kept in registers, so the result does not depend on the number of threads.
void back_project_columns(const BackProjectTask& task, ColumnKind kind, const float* projections, float* volume,
                          const CancelToken& cancel);

}  // namespace tl::ops
