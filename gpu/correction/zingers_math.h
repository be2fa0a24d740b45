// Search for outliers, one call per pixel: what a card runs.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/image/neighbourhood_math.h"

namespace tl::ops {

// What a value of the window counts as when it is compared with its middle: half of the window beyond it, the median
// is. sign -1 mirrors everything about zero.
template <class T>
TL_HD inline T with_limit(T value, T sign, T limit, bool relative) {
  return sign * value + (relative ? limit * std::abs(value) : limit);
}

// The flat index of the pixel whose value each pixel takes: that of its window's median where it is an outlier of one
// of the sides, else its own.
template <class T>
struct ZingerSource {
  const T* in;  // [view, row, col]
  int64_t rows, cols, size;
  T limit;
  bool relative, brighter, darker;
  int64_t* from;

  template <class Visit>
  TL_HD void window(int64_t index, const Visit& visit) const {
    const int64_t col = index % cols, row = index / cols % rows, view = index / cols / rows, half = size / 2;
    for (int64_t r = row - half; r <= row + half; ++r) {
      const int64_t line = (view * rows + mirrored_index(r, rows)) * cols;
      for (int64_t c = col - half; c <= col + half; ++c)
        if (!visit(line + mirrored_index(c, cols))) return;
    }
  }
  TL_HD bool outlier(int64_t index, T sign) const {
    const T own = sign * in[index];
    int64_t beyond = 0;
    window(index, [&](int64_t n) {
      beyond += with_limit(in[n], sign, limit, relative) < own ? 1 : 0;
      return true;
    });
    return beyond > size * size / 2;
  }
  TL_HD void operator()(int64_t index) const {
    const bool found = (brighter && outlier(index, T{1})) || (darker && outlier(index, T{-1}));
    from[index] = found ? middle_of(in, index, size * size, [&](const auto& visit) { window(index, visit); }) : index;
  }
};

}  // namespace tl::ops
