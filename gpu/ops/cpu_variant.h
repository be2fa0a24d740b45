// Which vector instructions the processor has: kernels exist in these variants and choose at run time.
#pragma once

namespace tl::ops {

enum class CpuVariant { plain, avx2, avx512 };

inline CpuVariant best_cpu_variant() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return CpuVariant::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return CpuVariant::avx2;
  return CpuVariant::plain;
}

}  // namespace tl::ops
