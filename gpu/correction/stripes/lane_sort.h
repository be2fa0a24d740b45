// Sorts rows of numbers whose lanes are separate columns, and takes medians of them: sorting networks over vectors of
// one register. The bodies are inlined into functions for an instruction set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "gpu/device/vector_lanes.h"

namespace tl::ops {

// Rows that sorting works on at a time, all of them in registers.
inline constexpr int64_t sorted_together = 8;
inline int64_t padded_rows(int64_t n) { return (n + sorted_together - 1) / sorted_together * sorted_together; }

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

// Written so that the compiler takes the instructions for least and most, which give the second number of the two where
// one is NaN.
template <class V>
__attribute__((always_inline)) inline void exchange_lanes(V& a, V& b) {
  const V x = a, y = b;
  a = x < y ? x : y;
  b = x < y ? y : x;
}

// Batcher's network of 19 exchanges.
template <int Bytes>
__attribute__((always_inline)) inline void sort_eight(const LaneRows<Bytes>& x, int64_t at) {
  constexpr int8_t pairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                   {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
  typename LaneRows<Bytes>::Vector v[sorted_together];
#pragma GCC unroll 8
  for (int64_t i = 0; i < sorted_together; ++i) v[i] = x[at + i];
#pragma GCC unroll 19
  for (const auto& p : pairs) exchange_lanes(v[p[0]], v[p[1]]);
#pragma GCC unroll 8
  for (int64_t i = 0; i < sorted_together; ++i) x[at + i] = v[i];
}

// The last three steps of a merge, within eight rows.
template <int Bytes>
__attribute__((always_inline)) inline void merge_eight(const LaneRows<Bytes>& x, int64_t at) {
  typename LaneRows<Bytes>::Vector v[sorted_together];
#pragma GCC unroll 8
  for (int64_t i = 0; i < sorted_together; ++i) v[i] = x[at + i];
#pragma GCC unroll 3
  for (int64_t k = 4; k > 0; k /= 2)
#pragma GCC unroll 8
    for (int64_t i = 0; i < sorted_together; ++i)
      if ((i & k) == 0) exchange_lanes(v[i], v[i + k]);
#pragma GCC unroll 8
  for (int64_t i = 0; i < sorted_together; ++i) x[at + i] = v[i];
}

// Runs of `run` sorted rows become runs of twice as many. n: a multiple of eight; rows beyond the last one count as
// infinity, which stays where it is.
template <int Bytes>
__attribute__((always_inline)) inline void merge_runs(const LaneRows<Bytes>& x, int64_t n, int64_t run) {
  for (int64_t at = 0; at + run < n; at += 2 * run)
    for (int64_t i = std::max<int64_t>(0, at + 2 * run - n); i < run; ++i)
      exchange_lanes(x[at + i], x[at + 2 * run - 1 - i]);
  for (int64_t k = run / 2; k >= sorted_together; k /= 2)
    for (int64_t at = 0; at + k < n; at += 2 * k)
      for (int64_t i = at; i < std::min(at + k, n - k); ++i) exchange_lanes(x[i], x[i + k]);
  for (int64_t at = 0; at < n; at += sorted_together) merge_eight(x, at);
}

// Bitonic merges. n: a multiple of eight; padded rows hold infinity.
template <int Bytes>
__attribute__((always_inline)) inline void sort_lane_rows(const LaneRows<Bytes>& x, int64_t n) {
  for (int64_t at = 0; at < n; at += sorted_together) sort_eight(x, at);
  for (int64_t run = sorted_together; run < n; run *= 2) merge_runs(x, n, run);
}

// The element `rank` of n rows as above, which are not sorted to the end: of the last two runs it is the largest of the
// smaller ones of opposite pairs.
template <int Bytes>
__attribute__((always_inline)) inline void element_of_rows(const LaneRows<Bytes>& x, int64_t n, int64_t rank,
                                                           float* out) {
  using V = typename LaneRows<Bytes>::Vector;
  for (int64_t at = 0; at < n; at += sorted_together) sort_eight(x, at);
  int64_t run = sorted_together;
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

// The element `rank` of two sets of sorted rows together: the largest of the smaller ones of opposite pairs.
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

// The element n / 2 of the magnitudes of the deviations from the element n / 2 of n sorted rows. Below and above it
// they are sorted too; the smallest of both together are the smaller ones of opposite pairs.
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
