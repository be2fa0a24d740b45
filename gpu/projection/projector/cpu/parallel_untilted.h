// Fast CPU loops of the projector for parallel beams without tilt: axis along z, every ray within one slice.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/projection/projector/cpu/lanes.h"
#include "gpu/projection/projector/math.h"

namespace tl::ops {

// Data common to the rays of such a scan. Without views the scan is of another kind; use the generic loops.
struct UntiltedParallelScan {
  std::vector<UntiltedView> views;
  int64_t taps = 2;  // detector columns that one voxel reaches: 2, 4 or 8
};
UntiltedParallelScan untilted_parallel_scan(const ProjectTask& task);

// volume [z, y, x] -> projections [view, row, col], overwritten. Vector lanes are slices, which share the weights of a
// view. Each thread owns whole views and adds tiles in order: the result does not depend on the number of threads.
template <class T>
void project_parallel_untilted(const ProjectTask& task, const UntiltedParallelScan& scan, const T* volume,
                               T* projections, const CancelToken& cancel);

// The transpose; the volume is overwritten. Each thread owns tiles of voxels, which gather the columns that reach them,
// view by view.
template <class T>
void project_parallel_untilted_transpose(const ProjectTask& task, const UntiltedParallelScan& scan,
                                         const T* projections, T* volume, const CancelToken& cancel);

}  // namespace tl::ops
