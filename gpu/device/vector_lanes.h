// Vectors of numbers of as many bytes as the registers of an instruction set hold: the compiler takes wider ones apart
// through memory. They may be read from and written to any place where such numbers lie.
#pragma once

#include <cstdint>

namespace tl::ops {

template <class T, int Bytes>
struct VectorOf {
  // An alias by `using` would not take attributes that depend on a template.
  typedef T type __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
};
template <class T, int Bytes>
inline constexpr int64_t width_of = Bytes / static_cast<int64_t>(sizeof(T));

}  // namespace tl::ops
