// Fast CPU back-projection by slices, for parallel scans in which a slice needs one fractional detector row per view.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// Whether a square of 16 x 16 voxels projects within the 32 pixels that a permutation of two AVX-512 registers can
// reach.
[[nodiscard]] bool squares_fit(const BackProjectTask& task);

// projections [view, row, col] -> volume [z, y, x], overwritten; for ColumnKind::fixed_rows. As fast for a single slice
// as for many: rows are interpolated slice by slice into half a MiB per thread. Views are added in groups of a size
// that depends on the task only, so the sums do not depend on the number of threads.
void back_project_slices(const BackProjectTask& task, const float* projections, float* volume,
                         const CancelToken& cancel);

}  // namespace tl::ops
