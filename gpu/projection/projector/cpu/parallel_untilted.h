// Fast CPU loops of the projector for parallel beams without tilt: axis along z, every ray within one slice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/projection/projector/cpu/lanes.h"
#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// Data common to the rays of such a scan. Empty for other kinds of scans, for which the generic loops are used.
struct UntiltedParallelScan {
  std::vector<UntiltedView> views;
  int64_t taps = 2;  // number of detector columns whose rays cross one voxel: 2, 4 or 8
};
UntiltedParallelScan untilted_parallel_scan(const ProjectTask& task);

// Volumes [z, y, x] -> projections [view, row, col], overwritten; one volume and scan, or two at once. Vector lanes are
// slices, those of both volumes side by side, which share the weights of a view. Each thread owns whole views and adds
// tiles in order: the result does not depend on the number of threads.
template <class T>
void project_parallel_untilted(const ProjectTask& task, const UntiltedParallelScan& scan,
                               std::span<const T* const> volumes, std::span<T* const> projections,
                               const CancelToken& cancel);

// The transpose; the volumes are overwritten. Each thread owns tiles of voxels, which gather the columns whose rays
// cross them, view by view.
template <class T>
void project_parallel_untilted_transpose(const ProjectTask& task, const UntiltedParallelScan& scan,
                                         std::span<const T* const> projections, std::span<T* const> volumes,
                                         const CancelToken& cancel);

// Up to this many slices, two volumes fit into the lanes of one, and are projected in less than twice its time.
template <class T>
int64_t max_slices_of_pair();

}  // namespace tl::ops
