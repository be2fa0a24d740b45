// Weighted sums of lines with symmetric weights, in the instruction set of the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device/choose_variant.h"

namespace tl::ops {

// out[x] = k[0] line(0)[x] + sum_i k[i] (line(-i)[x] + line(i)[x]). lines[reach + i] is line(i).
template <class T>
__attribute__((always_inline)) inline void weigh_body(const T* const* lines, const T* k, int64_t reach, int64_t count,
                                                      T* __restrict__ out) {
  const T* centre = lines[reach];
  const T weight = k[0];
  for (int64_t x = 0; x < count; ++x) out[x] = weight * centre[x];
  for (int64_t i = 1; i <= reach; ++i) {
    const T *before = lines[reach - i], *after = lines[reach + i];
    const T w = k[i];
    for (int64_t x = 0; x < count; ++x) out[x] += w * (before[x] + after[x]);
  }
}
template <class T>
void weigh_lines(const T* const* lines, const std::vector<T>& k, int64_t count, T* out) {
  static const auto weigh = Variants<weigh_body<T>>::of(best_cpu_variant());
  weigh(lines, k.data(), static_cast<int64_t>(k.size()) - 1, count, out);
}

}  // namespace tl::ops
