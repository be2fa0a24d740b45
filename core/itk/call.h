// What every call of ITK is given: the volume it reads, the run's threads, its cancel token, and whom to report
// progress.
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/cancel.h"
#include "core/base/grid.h"

namespace tl::insight {

// float32 voxels [z, y, x] on the grid, in memory that outlives the call. ITK reads them where they are.
struct VolumeView {
  const float* data = nullptr;
  VolumeGrid grid;
};

struct Call {
  CancelToken cancel;  // looked at between pieces of work, several hundred times a second
  int64_t threads = 1;
  std::function<void(double share)> progress;  // from 0 to 1, on the calling thread; may be empty
};

}  // namespace tl::insight
