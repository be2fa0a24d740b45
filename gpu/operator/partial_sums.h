// Second step of sums on a GPU: joins the partial sums of many threads in a fixed order.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// partial [group, chunk, width] -> out [group, width].
struct JoinPartialSums {
  const double* partial;
  int64_t chunks, width;
  double* out;

  TL_HD void operator()(int64_t index) const {
    const double* from = partial + index / width * chunks * width + index % width;
    double sum = 0;
    for (int64_t c = 0; c < chunks; ++c) sum += from[c * width];
    out[index] = sum;
  }
};

// Number of threads that share the `items` of a group: enough to occupy a GPU, few enough that their partial sums need
// little memory. Changing it changes the last bits of the results.
inline int64_t partial_chunks(int64_t groups, int64_t items) {
  constexpr int64_t threads = int64_t{1} << 18, least = 32;
  const int64_t wanted = threads / (groups < 1 ? 1 : groups);
  const int64_t chunks = wanted < least ? least : wanted;
  return chunks < items ? chunks : items;
}

}  // namespace tl::ops
