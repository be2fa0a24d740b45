// Bilinear sampling of images at given positions, shared by CPU and CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Two neighbouring samples of a line and the weight of the second; both indices are valid. weight 0: outside, value 0.
struct LineTaps {
  int64_t first, second;
  double share, weight;
};

// beyond: value outside the line; 0: zero, 1: the value of its nearest end.
TL_HD inline LineTaps line_taps(double position, int64_t n, int32_t beyond) {
  const auto last = static_cast<double>(n - 1);
  if (beyond == 0 && !(position >= 0 && position <= last)) return {0, 0, 0, 0};
  const double finite = std::isfinite(position) ? position : 0.0;
  const double inside = finite < 0 ? 0.0 : finite > last ? last : finite;
  const int64_t most = n >= 2 ? n - 2 : 0;
  const auto below = static_cast<int64_t>(inside);
  const int64_t first = below < most ? below : most;
  return {first, first + 1 < n ? first + 1 : n - 1, inside - static_cast<double>(first), 1};
}

// The four source pixels and their weights for one pixel of the result.
template <class T>
struct PictureTaps {
  int64_t pixels[4];
  T weights[4];
};

template <class T>
TL_HD inline PictureTaps<T> picture_taps(double row, double col, int64_t rows, int64_t cols, int32_t beyond) {
  const LineTaps r = line_taps(row, rows, beyond), c = line_taps(col, cols, beyond);
  const double seen = r.weight * c.weight;
  return {{r.first * cols + c.first, r.first * cols + c.second, r.second * cols + c.first, r.second * cols + c.second},
          {static_cast<T>(seen * (1 - r.share) * (1 - c.share)), static_cast<T>(seen * (1 - r.share) * c.share),
           static_cast<T>(seen * r.share * (1 - c.share)), static_cast<T>(seen * r.share * c.share)}};
}

// Forward map, one call per index of [image, pixel of the result].
template <class T>
struct ResamplePixel {
  const double *row, *col;
  int64_t rows, cols;  // of the images
  int64_t pixels;      // of the result
  int32_t beyond;
  const T* in;
  T* out;

  TL_HD void operator()(int64_t index) const {
    const int64_t i = index % pixels;
    const T* p = in + index / pixels * rows * cols;
    const PictureTaps<T> t = picture_taps<T>(row[i], col[i], rows, cols, beyond);
    out[index] = t.weights[0] * p[t.pixels[0]] + t.weights[1] * p[t.pixels[1]] + t.weights[2] * p[t.pixels[2]] +
                 t.weights[3] * p[t.pixels[3]];
  }
};

// The transpose as a gather, one call per index of [image, pixel of the image]. taps[begins[p] ... begins[p + 1])
// lists, in order, the uses of pixel p as 4 * (pixel of the result) + (number of the tap).
template <class T>
struct ResampleTransposed {
  ResamplePixel<T> forward;
  const int64_t* begins;
  const int64_t* taps;

  TL_HD void operator()(int64_t index) const {
    const int64_t size = forward.rows * forward.cols, pixel = index % size;
    const T* y = forward.in + index / size * forward.pixels;
    T sum = 0;
    for (int64_t n = begins[pixel]; n < begins[pixel + 1]; ++n) {
      const int64_t i = taps[n] / 4;
      const PictureTaps<T> t =
          picture_taps<T>(forward.row[i], forward.col[i], forward.rows, forward.cols, forward.beyond);
      sum += t.weights[taps[n] % 4] * y[i];
    }
    forward.out[index] = sum;
  }
};

}  // namespace tl::ops
