// Loops of the projector on the processor, on raw arrays that the front door has checked.
#pragma once

#include <vector>

#include "core/base/cancel.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/ops/projector_gradient_math.h"
#include "gpu/ops/projector_math.h"

namespace tl::ops {

// The rays of all views in voxel indices of a grid.
std::vector<RayFan> ray_fans(const ScanGeometry& geometry, const VolumeGrid& grid);

// volume [z, y, x] -> projections [view, row, col], overwritten. Sums in double.
template <class T>
void project_generic(const ProjectTask& task, const T* volume, T* projections, const CancelToken& cancel);

// Its transpose, overwritten. A thread owns a slab of voxels and follows every ray through it, in one order.
template <class T>
void project_transpose(const ProjectTask& task, const T* projections, T* volume, const CancelToken& cancel);

// Gradient of <projections, A(vectors) volume> with respect to the view vectors: [view, 12], overwritten.
template <class T>
void project_gradient(const ProjectTask& task, const VolumeGrid& grid, const T* volume, const T* projections,
                      double* gradient, const CancelToken& cancel);

// From the sums of one view in voxel indices to its twelve numbers.
void to_vectors(const ViewGradient& sums, const VolumeGrid& grid, double* out);

}  // namespace tl::ops
