// Mirroring beyond the edges, common to all neighbourhood filters on all devices.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Index of a position beyond the edges, the edge voxel repeated: c b a | a b c d | d c b; "reflect" in scipy.ndimage.
TL_HD inline int64_t mirrored_index(int64_t i, int64_t n) {
  if (i >= 0 && i < n) return i;
  const int64_t period = 2 * n, wrapped = ((i % period) + period) % period;
  return wrapped < n ? wrapped : period - 1 - wrapped;
}

}  // namespace tl::ops
