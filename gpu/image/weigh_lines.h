// Weighted sums of lines with symmetric weights, in the instruction set of the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device/cpu_variant.h"

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
TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma")
void weigh_avx512(const T* const* lines, const T* k, int64_t reach, int64_t count, T* out) {
  weigh_body(lines, k, reach, count, out);
}
template <class T>
TL_TARGET("avx2,fma")
void weigh_avx2(const T* const* lines, const T* k, int64_t reach, int64_t count, T* out) {
  weigh_body(lines, k, reach, count, out);
}
template <class T>
void weigh_lines(const T* const* lines, const std::vector<T>& k, int64_t count, T* out) {
  static const CpuVariant variant = best_cpu_variant();
  const auto reach = static_cast<int64_t>(k.size()) - 1;
  if (variant == CpuVariant::avx512) return weigh_avx512(lines, k.data(), reach, count, out);
  if (variant == CpuVariant::avx2) return weigh_avx2(lines, k.data(), reach, count, out);
  weigh_body(lines, k.data(), reach, count, out);
}

}  // namespace tl::ops
