// Back-projection and its derivative along one change of the view vectors, in one pass.
#pragma once

#include <vector>

#include "core/base/cancel.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// Derivatives of the coefficients of every view's map along a change of the vectors; `change` has [view * 12] numbers.
std::vector<ViewMap> view_maps_along(const ScanGeometry& geometry, const VolumeGrid& grid, const double* change);

// For any geometry and grid. projections [view, row, col] -> volume and its derivative [z, y, x], both overwritten;
// `volume` may be null. Sums in double; at a kink of the interpolation the slope is the mean of the one-sided slopes.
template <class T>
void back_project_along(const BackProjectTask& task, const ViewMap* changes, const T* projections, T* volume, T* slope,
                        const CancelToken& cancel);

// The transpose of the map from projections to slope. Each thread owns whole views, so that no two threads write to the
// same pixel.
template <class T>
void back_project_along_transpose(const BackProjectTask& task, const ViewMap* changes, const T* slope, T* projections,
                                  const CancelToken& cancel);

}  // namespace tl::ops
