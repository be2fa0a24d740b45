// Vector instruction sets of the CPU: kernels exist in these variants and choose at run time.
#pragma once

#include <cstdlib>
#include <string_view>

#include "core/base/error.h"

// TL_TARGET("avx2,fma") before a function compiles it for these extensions of x86-64, whatever the compiler's options
// are; call it only if best_cpu_variant() returns a variant that has them. On other processors the macro is empty, the
// function is plain code, and best_cpu_variant() never chooses it. A function that should also be inlined into others
// of its target has __attribute__((always_inline)) after the macro.
#if defined(__x86_64__)
#define TL_TARGET(extensions) __attribute__((target(extensions)))
#else
#define TL_TARGET(extensions)
#endif

namespace tl::ops {

enum class CpuVariant { plain, avx2, avx512 };

// The best variant that the CPU supports; plain on processors other than x86-64. The environment variable
// TL_CPU_VARIANT (plain, avx2 or avx512) selects a lower one: for tests, which run every variant on one machine, and to
// compare results between machines. Throws Failure (invalid) for any other word, and (unavailable) for a variant that
// the CPU does not support. Read in every call, so a test may change it between two operators.
inline CpuVariant best_cpu_variant() {
  CpuVariant best = CpuVariant::plain;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) best = CpuVariant::avx2;
  if (best == CpuVariant::avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    best = CpuVariant::avx512;
#endif
  const char* wanted = std::getenv("TL_CPU_VARIANT");
  if (wanted == nullptr) return best;
  const std::string_view name = wanted;
  const CpuVariant variant =
      name == "plain"    ? CpuVariant::plain
      : name == "avx2"   ? CpuVariant::avx2
      : name == "avx512" ? CpuVariant::avx512
                         : throw Failure(invalid("no such variant", "TL_CPU_VARIANT", "Choose plain, avx2 or avx512"));
  if (variant > best) throw Failure(unavailable("this processor does not have " + std::string(name), "TL_CPU_VARIANT"));
  return variant;
}

}  // namespace tl::ops
