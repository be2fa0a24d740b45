// Vectors of numbers of as many bytes as the registers of an instruction set hold: the compiler takes wider ones apart
// through memory. They may be read from and written to any place where such numbers lie.
#pragma once

#include <cstdint>

namespace tl::ops {

template <class T, int Bytes>
struct VectorOf;
template <>
struct VectorOf<float, 64> {
  using type = float __attribute__((vector_size(64), aligned(4), may_alias));
};
template <>
struct VectorOf<float, 32> {
  using type = float __attribute__((vector_size(32), aligned(4), may_alias));
};
template <>
struct VectorOf<float, 16> {
  using type = float __attribute__((vector_size(16), aligned(4), may_alias));
};
template <>
struct VectorOf<double, 64> {
  using type = double __attribute__((vector_size(64), aligned(8), may_alias));
};
template <>
struct VectorOf<double, 32> {
  using type = double __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct VectorOf<double, 16> {
  using type = double __attribute__((vector_size(16), aligned(8), may_alias));
};
template <class T, int Bytes>
inline constexpr int64_t width_of = Bytes / static_cast<int64_t>(sizeof(T));

}  // namespace tl::ops
