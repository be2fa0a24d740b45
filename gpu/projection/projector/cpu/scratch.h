// Memory limit for the transposed copies that the fast loops of the projector make.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// Number of values of type T: small relative to input and output, and at most what fits the last-level cache.
template <class T>
int64_t scratch_values(const ProjectTask& task) {
  constexpr int64_t least = int64_t{4} << 20, most = int64_t{32} << 20;
  constexpr auto bytes = static_cast<int64_t>(sizeof(T));
  const int64_t in_and_out = task.size[0] * task.size[1] * task.size[2] + task.views * task.rows * task.cols;
  return std::clamp(in_and_out * bytes / 16, least, most) / bytes;
}

}  // namespace tl::ops
