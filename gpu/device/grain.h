// Grain size of parallel loops.
#pragma once

#include <cstdint>

namespace tl::ops {

// [updates] with less work per thread, starting threads costs more than it saves.
inline constexpr int64_t serial_updates = 100000;
inline int64_t grain(int64_t updates_each) {
  return updates_each < serial_updates ? serial_updates / (updates_each < 1 ? 1 : updates_each) + 1 : 1;
}

}  // namespace tl::ops
