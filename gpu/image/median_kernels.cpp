// Computes medians of many windows by selection networks and bisection, 64 bytes of neighbouring windows at a time. The
// bodies are always inlined into functions with a target attribute, which selects AVX-512, AVX2 or plain code.
#include "gpu/image/median_kernels.h"

#include <cstring>

#include "gpu/device/choose_variant.h"

namespace tl::ops {
namespace {

template <class Key>
struct Vector {
  using Type __attribute__((vector_size(64))) = Key;
  static constexpr int64_t lanes = 64 / static_cast<int64_t>(sizeof(Key));
};

template <class V, class Key>
__attribute__((always_inline)) inline void load(V& to, const Key* from) {
  std::memcpy(&to, from, sizeof to);
}

template <class V>
__attribute__((always_inline)) inline void exchange(V& a, V& b) {
  const V low = a < b ? a : b;
  b = a < b ? b : a;
  a = low;
}

// Forgetful selection: among the `Kept` values in v neither the smallest nor the largest can be the median, so that
// both are dropped and the next value of the window is added, until three are left.
template <int Kept, class V, class Key>
__attribute__((always_inline)) inline void select_median(V* v, const Key* const* lines, int64_t n, int64_t x) {
#pragma GCC unroll 16
  for (int i = 0; i < Kept / 2; ++i) exchange(v[i], v[Kept - 1 - i]);
#pragma GCC unroll 16
  for (int i = 1; i < (Kept + 1) / 2; ++i) exchange(v[0], v[i]);
#pragma GCC unroll 16
  for (int i = Kept / 2; i < Kept - 1; ++i) exchange(v[i], v[Kept - 1]);
  if constexpr (Kept > 3) {
    load(v[0], lines[n - (Kept - 3)] + x);
    select_median<Kept - 1>(v, lines, n, x);
  }
}

template <int N, class Key>
__attribute__((always_inline)) inline void network_body(const Key* const* lines, int64_t count, Key* out) {
  using V = typename Vector<Key>::Type;
  constexpr int kept = (N + 1) / 2 + 1;
  for (int64_t x = 0; x < count; x += Vector<Key>::lanes) {
    V v[kept];
#pragma GCC unroll 16
    for (int i = 0; i < kept; ++i) load(v[i], lines[i] + x);
    select_median<kept>(v, lines, N, x);
    std::memcpy(out + x, &v[1], sizeof(V));
  }
}

// Bisects the interval that contains the median until it is a single number: at most 32 (or 64) counts.
template <class Key>
__attribute__((always_inline)) inline void bisection_body(const Key* const* lines, int64_t n, int64_t count, Key* out) {
  using V = typename Vector<Key>::Type;
  for (int64_t x = 0; x < count; x += Vector<Key>::lanes) {
    V low, high, v;
    load(low, lines[0] + x);
    high = low;
    for (int64_t i = 1; i < n; ++i) {
      load(v, lines[i] + x);
      low = v < low ? v : low;
      high = v > high ? v : high;
    }
    for (;;) {
      const V open = low < high;
      Key any = 0;
      for (int64_t l = 0; l < Vector<Key>::lanes; ++l) any |= open[l];
      if (any == 0) break;
      const V middle = (low & high) + ((low ^ high) >> 1);  // the mean rounded down, without overflow
      V reached{};
      for (int64_t i = 0; i < n; ++i) {
        load(v, lines[i] + x);
        reached -= v <= middle;  // a true comparison is -1
      }
      const V enough = reached > static_cast<Key>(n / 2);
      high = enough ? middle : high;
      low = enough ? low : middle + 1;
    }
    std::memcpy(out + x, &low, sizeof(V));
  }
}

template <class Key>
__attribute__((always_inline)) inline void median_body(const Key* const* lines, int64_t n, int64_t count, Key* out) {
  switch (n) {
    case 9: return network_body<9>(lines, count, out);
    case 25: return network_body<25>(lines, count, out);
    case 27: return network_body<27>(lines, count, out);
    default: return bisection_body(lines, n, count, out);
  }
}

}  // namespace

void median_of_lines(const int32_t* const* lines, int64_t n, int64_t count, int32_t* out, CpuVariant variant) {
  Variants<median_body<int32_t>>::of(variant)(lines, n, count, out);
}
void median_of_lines(const int64_t* const* lines, int64_t n, int64_t count, int64_t* out, CpuVariant variant) {
  Variants<median_body<int64_t>>::of(variant)(lines, n, count, out);
}

}  // namespace tl::ops
