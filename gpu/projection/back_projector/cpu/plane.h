// Fast CPU back-projection, and its directional derivative, for slices that project into a single detector row in every
// view.
#pragma once

#include "core/base/cancel.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// Whether every slice projects onto one (possibly fractional) detector row of each view, before and after a change of
// the geometry, in front of the source and without a distance weight: parallel and fan beams, the middle plane of a
// cone beam.
[[nodiscard]] bool plane_fits(const BackProjectTask& task, const ViewMap* changes);

// projections [view, row, col] -> volume and its derivative [z, y, x], both overwritten; either may be null. Positions
// are computed in double for the middle of a block of voxels and in float within it. Views are added in groups of a
// fixed size, so the result does not depend on the number of threads.
void back_project_plane(const BackProjectTask& task, const ViewMap* changes, const float* projections, float* volume,
                        float* slope, const CancelToken& cancel);

// The transpose: projections [view, row, col], overwritten, from the volume and its derivative [z, y, x], either of
// which may be null. Each thread owns whole views.
void back_project_plane_transpose(const BackProjectTask& task, const ViewMap* changes, const float* volume,
                                  const float* slope, float* projections, const CancelToken& cancel);

// The (fractional) detector row that slice k projects onto.
inline double plane_row(const ViewMap& map, double k) { return (map.v[0] + map.v[3] * k) / (map.w[0] + map.w[3] * k); }

}  // namespace tl::ops
