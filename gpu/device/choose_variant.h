// Functions for three instruction sets, and the choice of the one for this processor.
#pragma once

#include "gpu/device/cpu_variant.h"

namespace tl::ops {

// Selects from versions of a function for three instruction sets the one for best_cpu_variant().
template <class Function>
Function choose_variant(Function avx512, Function avx2, Function plain) {
  const CpuVariant best = best_cpu_variant();
  return best == CpuVariant::avx512 ? avx512 : best == CpuVariant::avx2 ? avx2 : plain;
}

// One function for three instruction sets. Its bodies are always inlined, each into a function compiled for its set:
// one body for all, or one for each, usually a template with vectors of several lengths.
template <auto avx512_body, auto avx2_body = avx512_body, auto plain_body = avx2_body>
struct Variants;
template <class R, class... Args, R (*avx512_body)(Args...), R (*avx2_body)(Args...), R (*plain_body)(Args...)>
struct Variants<avx512_body, avx2_body, plain_body> {
  TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma") static R avx512(Args... args) { return avx512_body(args...); }
  TL_TARGET("avx2,fma") static R avx2(Args... args) { return avx2_body(args...); }
  static R plain(Args... args) { return plain_body(args...); }
  static auto of(CpuVariant variant) {
    return variant == CpuVariant::avx512 ? &avx512 : variant == CpuVariant::avx2 ? &avx2 : &plain;
  }
};

// For loops that the compiler vectorizes: with AVX-512 in 512-bit registers, which it does not choose by
// itself.
template <auto avx512_body, auto avx2_body = avx512_body, auto plain_body = avx2_body>
struct LoopVariants;
template <class R, class... Args, R (*avx512_body)(Args...), R (*avx2_body)(Args...), R (*plain_body)(Args...)>
struct LoopVariants<avx512_body, avx2_body, plain_body> {
  using Narrow = Variants<avx512_body, avx2_body, plain_body>;
  TL_TARGET("avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")
  static R avx512(Args... args) { return avx512_body(args...); }
  static auto of(CpuVariant variant) {
    return variant == CpuVariant::avx512 ? &avx512 : variant == CpuVariant::avx2 ? &Narrow::avx2 : &Narrow::plain;
  }
};

}  // namespace tl::ops
