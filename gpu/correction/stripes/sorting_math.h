// Median across equal ranks of neighbouring columns on a device, one call per sorted sample.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {

// Ordering with NaN last.
template <class T>
TL_HD inline bool before(T a, T b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}

// sorted [row, col, rank]: every column of every sinogram, sorted; order: the views of these values. Writes, for the
// pixel of each value, the flat index in [view, row, col] of its replacement: the median of the same rank over `size`
// columns around it; equal values are ordered by column.
template <class T>
struct RankMedian {
  const T* sorted;
  const int64_t* order;
  int64_t views, rows, cols, size;
  int64_t* from;

  TL_HD void operator()(int64_t index) const {
    const int64_t rank = index % views, col = index / views % cols, row = index / views / cols;
    const T* ranks = sorted + row * cols * views + rank;
    const int64_t half = size / 2;
    int64_t chosen = col;
    for (int64_t d = -half; d <= half; ++d) {
      const int64_t candidate = mirrored_index(col + d, cols);
      const T value = ranks[candidate * views];
      int64_t less = 0, same = 0;
      for (int64_t e = -half; e <= half; ++e) {
        const int64_t other = mirrored_index(col + e, cols);
        const T v = ranks[other * views];
        const bool tie = !before(v, value) && !before(value, v);
        less += before(v, value) || (tie && other < candidate) ? 1 : 0;
        same += tie && other == candidate ? 1 : 0;
      }
      if (less <= half && half < less + same) {
        chosen = candidate;
        break;
      }
    }
    const int64_t* views_of = order + row * cols * views + rank;
    from[(views_of[col * views] * rows + row) * cols + col] = (views_of[chosen * views] * rows + row) * cols + chosen;
  }
};

}  // namespace tl::ops
