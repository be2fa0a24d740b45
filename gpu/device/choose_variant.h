// Chooses the variant of a function for this processor.
#pragma once

#include "gpu/device/cpu_variant.h"

namespace tl::ops {

// Of the same function for three instruction sets the one for best_cpu_variant().
template <class Function>
Function choose_variant(Function avx512, Function avx2, Function plain) {
  const CpuVariant best = best_cpu_variant();
  return best == CpuVariant::avx512 ? avx512 : best == CpuVariant::avx2 ? avx2 : plain;
}

}  // namespace tl::ops
