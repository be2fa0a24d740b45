// Search for zingers on a device, one call per pixel.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/image/neighbourhood_math.h"

namespace tl::ops {

// The value above which a pixel is an outlier with respect to `value`. If a pixel exceeds it for more than half of its
// window, it also does for the median. sign -1 mirrors all values about zero.
template <class T>
TL_HD inline T outlier_limit(T value, T sign, T limit, bool relative) {
  return sign * value + (relative ? limit * std::abs(value) : limit);
}

// Writes the flat index of each pixel's source: the median of its window for an outlier, otherwise its own.
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
      beyond += outlier_limit(in[n], sign, limit, relative) < own ? 1 : 0;
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
