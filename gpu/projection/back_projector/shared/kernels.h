// Generic CPU loops of the back-projector, on raw arrays already checked by the front door.
#pragma once

#include "core/base/cancel.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/projection/back_projector/shared/gradient_math.h"
#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// For any geometry and grid. projections [view, row, col] -> volume [z, y, x], overwritten. Sums in double.
template <class T>
void back_project_generic(const BackProjectTask& task, const T* projections, T* volume, const CancelToken& cancel);

// The transpose: volume -> projections, overwritten. Each thread owns whole views, so that no two threads write to the
// same pixel.
template <class T>
void back_project_transpose(const BackProjectTask& task, const T* volume, T* projections, const CancelToken& cancel);

// Gradient of <volume, A(vectors) projections> with respect to the view vectors: [view, 12], overwritten.
template <class T>
void back_project_gradient(const BackProjectTask& task, const ScanGeometry& geometry, const VolumeGrid& grid,
                           const T* projections, const T* volume, double* gradient, const CancelToken& cancel);

// Converts the sums of one view to the gradient of its twelve vector components, through the derivatives of the map
// coefficients.
void map_gradient_to_vectors(const MapGradient& sums, const View& view, const ScanGeometry& geometry,
                             const VolumeGrid& grid, double* out);

}  // namespace tl::ops
