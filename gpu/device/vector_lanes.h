// Vector types as long as the registers of an instruction set (the compiler splits longer ones through memory). They
// may be loaded from and stored to any address of such numbers.
#pragma once

#include <cstdint>

namespace tl::ops {

template <class T, int Bytes>
struct VectorOf {
  // Not a `using` alias: it does not accept attributes that depend on a template parameter.
  typedef T type __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));
};
template <class T, int Bytes>
inline constexpr int64_t width_of = Bytes / static_cast<int64_t>(sizeof(T));

}  // namespace tl::ops
