// Fast loops of the projector for scans whose rays stay in their slice: parallel beam, axis along z, no tilt.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/projection/projector/cpu/lanes.h"
#include "gpu/projection/projector/math.h"

namespace tl::ops {

// What the rays of such a scan share. No views: the scan is not of this kind, use the generic loops.
struct UntiltedParallelScan {
  std::vector<UntiltedView> views;
  int64_t taps = 2;  // detector columns that one voxel reaches: 2, 4 or 8
};
UntiltedParallelScan untilted_parallel_scan(const ProjectTask& task);

// volume [z, y, x] -> projections [view, row, col], overwritten. Slices are lanes, so all of them share the weights of
// a view. A thread owns whole views; tiles are added in their order: no bit depends on the number of threads.
template <class T>
void project_parallel_untilted(const ProjectTask& task, const UntiltedParallelScan& scan, const T* volume,
                               T* projections, const CancelToken& cancel);

// Its transpose, overwritten: a thread owns tiles of voxels, which collect the columns that reach them, view by view.
template <class T>
void project_parallel_untilted_transpose(const ProjectTask& task, const UntiltedParallelScan& scan,
                                         const T* projections, T* volume, const CancelToken& cancel);

}  // namespace tl::ops
