// How much memory the fast loops of the projector may use for turned data.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/projection/projector/math.h"

namespace tl::ops {

// In values of T: little beside what goes in and out, and at most what the last cache holds.
template <class T>
int64_t scratch_values(const ProjectTask& task) {
  constexpr int64_t least = int64_t{4} << 20, most = int64_t{32} << 20;
  constexpr auto bytes = static_cast<int64_t>(sizeof(T));
  const int64_t in_and_out = task.size[0] * task.size[1] * task.size[2] + task.views * task.rows * task.cols;
  return std::clamp(in_and_out * bytes / 16, least, most) / bytes;
}

}  // namespace tl::ops
