// CPU loops of the projector, on raw arrays already checked by the front door.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/projection/projector/shared/gradient_math.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// The rays of all views in voxel indices of a grid.
std::vector<RayFan> ray_fans(const ScanGeometry& geometry, const VolumeGrid& grid);

// The rays of one view, with every argument taken as a direction (the part linear in the vectors). For positions, the
// caller adds the offset of index 0.
RayFan linear_fan(Vec3 beam, Vec3 detector, Vec3 u, Vec3 v, const DetectorShape& shape, const VolumeGrid& grid);

// Processes slabs of the volume along the longer of its y and z axes in parallel, several slabs per thread for load
// balance. Every slab meets all detector rows in the same order, so the number of slabs does not change a sum. Calls
// use(box, axis, view, row).
template <class Use>
void each_row_by_slabs(const ProjectTask& task, const CancelToken& cancel, const Use& use) {
  const std::size_t axis = task.size[1] > task.size[2] ? 1 : 2;
  const int64_t slabs = std::min<int64_t>(task.size[axis], 4 * ops::threads_of_loop());
  const int64_t rays = task.views * task.rows * task.cols;
  const int64_t depth = std::max({task.size[0], task.size[1], task.size[2]});
  ops::parallel_for(0, slabs, grain(rays * depth / slabs), [&](int64_t first, int64_t last) {
    for (int64_t slab = first; slab < last; ++slab) {
      VoxelBox box = whole_box(task);
      box.begin[axis] = task.size[axis] * slab / slabs;
      box.end[axis] = task.size[axis] * (slab + 1) / slabs;
      for (int64_t view = 0; view < task.views; ++view)
        for (int64_t row = 0; row < task.rows; ++row) {
          cancel.check();
          use(box, axis, view, row);
        }
    }
  });
}

// volume [z, y, x] -> projections [view, row, col], overwritten. Sums in double.
template <class T>
void project_generic(const ProjectTask& task, const T* volume, T* projections, const CancelToken& cancel);

// The transpose; the volume is overwritten. Each thread owns a slab of voxels and follows every ray through it, in a
// fixed order.
template <class T>
void project_transpose(const ProjectTask& task, const T* projections, T* volume, const CancelToken& cancel);

// Gradient of <projections, A(vectors) volume> with respect to the view vectors: [view, 12], overwritten.
template <class T>
void project_gradient(const ProjectTask& task, const VolumeGrid& grid, const T* volume, const T* projections,
                      double* gradient, const CancelToken& cancel);

// Converts the sums of one view in voxel indices to the gradient of its twelve vector components.
void ray_gradient_to_vectors(const ViewGradient& sums, const VolumeGrid& grid, double* out);

}  // namespace tl::ops
