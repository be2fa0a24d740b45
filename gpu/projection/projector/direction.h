// Forward projection and its derivative along one change of the view vectors, in one pass.
#pragma once

#include "gpu/projection/projector/shared/kernels.h"

namespace tl::ops {

// Derivatives of the rays of every view along a change of the vectors; `change` has [view * 12] numbers.
std::vector<RayFan> ray_fans_along(const ScanGeometry& geometry, const VolumeGrid& grid, const double* change);

// volume [z, y, x] -> projections and their derivative [view, row, col], both overwritten; `projections` may be null.
// Sums in double; at a kink of the interpolation the slope is the mean of the one-sided slopes.
template <class T>
void project_along(const ProjectTask& task, const RayFan* changes, const T* volume, T* projections, T* slope,
                   const CancelToken& cancel);

// The transpose of the map from volume to slope. Each thread owns a slab of voxels.
template <class T>
void project_along_transpose(const ProjectTask& task, const RayFan* changes, const T* slope, T* volume,
                             const CancelToken& cancel);

}  // namespace tl::ops
