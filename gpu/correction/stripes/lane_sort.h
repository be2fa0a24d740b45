// Sorts rows of numbers in which each vector lane is a separate column, and computes their medians: sorting networks
// over vectors of one register. The bodies are inlined into functions for an instruction set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "gpu/device/vector_lanes.h"

namespace tl::ops {

// Numbers of rows are multiples of this.
inline constexpr int64_t least_rows = 8;
inline int64_t padded_rows(int64_t n) { return (n + least_rows - 1) / least_rows * least_rows; }

// Rows of the vectors of an instruction set, `stride` numbers apart.
template <int Bytes>
struct LaneRows {
  using Vector = typename VectorOf<float, Bytes>::type;
  float* first;
  int64_t stride;
  __attribute__((always_inline)) Vector& operator[](int64_t row) const {
    return *reinterpret_cast<Vector*>(first + row * stride);
  }
};

// Written so that the compiler uses the min and max instructions, which return the second operand if one is
// NaN.
template <class V>
__attribute__((always_inline)) inline void exchange_lanes(V& a, V& b) {
  const V x = a, y = b;
  a = x < y ? x : y;
  b = x < y ? y : x;
}

// Batcher's network of 19 exchanges.
template <class V>
__attribute__((always_inline)) inline void sort_eight(V* v) {
  constexpr int8_t pairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                   {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
#pragma GCC unroll 19
  for (const auto& p : pairs) exchange_lanes(v[p[0]], v[p[1]]);
}

// Sorts a bitonic sequence: the last steps of a merge.
template <int Rows, class V>
__attribute__((always_inline)) inline void merge_bitonic(V* v) {
#pragma GCC unroll 4
  for (int k = Rows / 2; k > 0; k /= 2)
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
      if ((i & k) == 0) exchange_lanes(v[i], v[i + k]);
}

template <int Rows, int Bytes>
__attribute__((always_inline)) inline void load_rows(const LaneRows<Bytes>& x, int64_t at,
                                                     typename LaneRows<Bytes>::Vector* v) {
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) v[i] = x[at + i];
}
template <int Rows, int Bytes>
__attribute__((always_inline)) inline void store_rows(const LaneRows<Bytes>& x, int64_t at,
                                                      const typename LaneRows<Bytes>::Vector* v) {
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) x[at + i] = v[i];
}

// Sorts runs of sixteen rows, in registers; the last one can have eight.
template <int Bytes>
__attribute__((always_inline)) inline void sort_runs(const LaneRows<Bytes>& x, int64_t n) {
  typename LaneRows<Bytes>::Vector v[16];
  int64_t at = 0;
  for (; at + 16 <= n; at += 16) {
    load_rows<16>(x, at, v);
    sort_eight(v);
    sort_eight(v + 8);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) exchange_lanes(v[i], v[15 - i]);
    merge_bitonic<8>(v);
    merge_bitonic<8>(v + 8);
    store_rows<16>(x, at, v);
  }
  if (at == n) return;
  load_rows<8>(x, at, v);
  sort_eight(v);
  store_rows<8>(x, at, v);
}

// The last steps of merges, of rows that lie less than `Rows` apart.
template <int Rows, int Bytes>
__attribute__((always_inline)) inline void finish_merges(const LaneRows<Bytes>& x, int64_t n) {
  typename LaneRows<Bytes>::Vector v[Rows];
  int64_t at = 0;
  for (; at + Rows <= n; at += Rows) {
    load_rows<Rows>(x, at, v);
    merge_bitonic<Rows>(v);
    store_rows<Rows>(x, at, v);
  }
  if (at == n) return;
  load_rows<8>(x, at, v);
  merge_bitonic<8>(v);
  store_rows<8>(x, at, v);
}

// Merges runs of `run` sorted rows, sixteen or more, to runs of twice as many. n: a multiple of eight; rows beyond the
// last one count as infinity, which stays in place. Two steps of a merge are made at a time, with four rows in
// registers, because loading and storing takes longer than exchanging.
template <int Bytes>
__attribute__((always_inline)) inline void merge_runs(const LaneRows<Bytes>& x, int64_t n, int64_t run) {
  using V = typename LaneRows<Bytes>::Vector;
  const int64_t half = run / 2;
  for (int64_t at = 0; at + run < n; at += 2 * run)
    for (int64_t i = 0; i < half; ++i) {
      // The first step compares opposite rows of the two runs.
      const int64_t third = at + 3 * half - 1 - i, fourth = at + 2 * run - 1 - i;
      V a = x[at + i], b = x[at + half + i];
      if (third < n) {
        V c = x[third];
        if (fourth < n) {
          V d = x[fourth];
          exchange_lanes(a, d);
          exchange_lanes(b, c);
          exchange_lanes(c, d);
          x[fourth] = d;
        } else {
          exchange_lanes(b, c);
        }
        x[third] = c;
      }
      exchange_lanes(a, b);
      x[at + i] = a;
      x[at + half + i] = b;
    }
  int64_t k = half / 2;
  for (; k >= 32; k /= 4)
    for (int64_t at = 0; at < n; at += 2 * k)
      for (int64_t i = at; i < std::min(at + k / 2, n - k / 2); ++i) {
        V a = x[i], b = x[i + k / 2];
        if (i + k < n) {
          V c = x[i + k];
          exchange_lanes(a, c);
          if (i + k + k / 2 < n) {
            V d = x[i + k + k / 2];
            exchange_lanes(b, d);
            exchange_lanes(c, d);
            x[i + k + k / 2] = d;
          }
          x[i + k] = c;
        }
        exchange_lanes(a, b);
        x[i] = a;
        x[i + k / 2] = b;
      }
  if (k == 16)
    for (int64_t at = 0; at + k < n; at += 2 * k)
      for (int64_t i = at; i < std::min(at + k, n - k); ++i) exchange_lanes(x[i], x[i + k]);
  if (run == 16)
    finish_merges<8>(x, n);
  else
    finish_merges<16>(x, n);
}

// Bitonic merges. n: a multiple of eight; padded rows hold infinity.
template <int Bytes>
__attribute__((always_inline)) inline void sort_lane_rows(const LaneRows<Bytes>& x, int64_t n) {
  sort_runs(x, n);
  for (int64_t run = 16; run < n; run *= 2) merge_runs(x, n, run);
}

// The element `rank` of n rows as above, whose last two runs are not merged: it is the largest of the smaller elements
// of opposite pairs.
template <int Bytes>
__attribute__((always_inline)) inline void element_of_rows(const LaneRows<Bytes>& x, int64_t n, int64_t rank,
                                                           float* out) {
  using V = typename LaneRows<Bytes>::Vector;
  sort_runs(x, n);
  int64_t run = 16;
  for (; 2 * run < n; run *= 2) merge_runs(x, n, run);
  V most = V{} - std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i <= rank; ++i) {
    const int64_t opposite = run + rank - i;
    V least = x[i < run ? i : opposite];
    if (i < run && opposite < n) {
      const V other = x[opposite];
      least = other < least ? other : least;
    }
    most = most < least ? least : most;
  }
  *reinterpret_cast<V*>(out) = most;
}

// The element `rank` of two sorted sets of rows together: the largest of the smaller elements of opposite pairs.
template <int Bytes>
__attribute__((always_inline)) inline void element_of_two(const LaneRows<Bytes>& a, int64_t a_rows,
                                                          const LaneRows<Bytes>& b, int64_t b_rows, int64_t rank,
                                                          float* out) {
  using V = typename LaneRows<Bytes>::Vector;
  V most = V{} - std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i <= rank; ++i) {
    const int64_t opposite = rank - i;
    if (i >= a_rows && opposite >= b_rows) continue;
    V least = i < a_rows ? a[i] : b[opposite];
    if (i < a_rows && opposite < b_rows) {
      const V other = b[opposite];
      least = other < least ? other : least;
    }
    most = most < least ? least : most;
  }
  *reinterpret_cast<V*>(out) = most;
}

// The element n / 2 of the magnitudes of the deviations from the element n / 2 of n sorted rows. The deviations below
// and above it are sorted, too; the smallest of both together are the smaller elements of opposite pairs.
template <int Bytes>
__attribute__((always_inline)) inline void median_deviation(const LaneRows<Bytes>& sorted, int64_t n, float* out) {
  using V = typename LaneRows<Bytes>::Vector;
  const int64_t half = n / 2;
  const V median = sorted[half];
  V most = median - median;
  for (int64_t i = 1; i <= half; ++i) {
    V least = median - sorted[half - i];
    if (const int64_t opposite = 2 * half + 1 - i; opposite < n) {
      const V above = sorted[opposite] - median;
      least = above < least ? above : least;
    }
    most = most < least ? least : most;
  }
  *reinterpret_cast<V*>(out) = most;
}

}  // namespace tl::ops
