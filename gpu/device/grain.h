// How finely a parallel loop may be cut.
#pragma once

#include <cstdint>

namespace tl::ops {

// Below this much work per thread, in updates, starting the threads costs more than they save.
inline constexpr int64_t serial_updates = 100000;
inline int64_t grain(int64_t updates_each) {
  return updates_each < serial_updates ? serial_updates / (updates_each < 1 ? 1 : updates_each) + 1 : 1;
}

}  // namespace tl::ops
