// Transposes arrays into vector lanes and back: squares of four by four floats in registers, the remainder element by
// element.
#include "gpu/device/transpose_lanes.h"

#include <algorithm>

namespace tl::ops {
namespace {

using Vector = float __attribute__((vector_size(16), aligned(4), may_alias));

// Transposes a block of at most lane_unit rows and columns; `put` stores or adds the values.
template <class T, class Put>
__attribute__((always_inline)) inline void transpose_block(const T* from, int64_t from_stride, int64_t rows,
                                                           int64_t cols, T* to, int64_t to_stride, const Put& put) {
  if constexpr (lane_unit<T> == 4) {
    if (rows == 4 && cols == 4) {
      const auto row = [&](int r) { return *reinterpret_cast<const Vector*>(from + r * from_stride); };
      const Vector a = row(0), b = row(1), c = row(2), d = row(3);
      const Vector ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Vector cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      put(reinterpret_cast<Vector*>(to), __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5));
      put(reinterpret_cast<Vector*>(to + to_stride), __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7));
      put(reinterpret_cast<Vector*>(to + 2 * to_stride), __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5));
      put(reinterpret_cast<Vector*>(to + 3 * to_stride), __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7));
      return;
    }
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) put(to + c * to_stride + r, from[r * from_stride + c]);
}

// Calls block(slice, slices, x, values) for square blocks, a few slices along their whole width at a time: slices are
// often a power of two apart, and more of them would evict each other from the cache.
template <class T, class Block>
__attribute__((always_inline)) inline void each_block(int64_t count, int64_t width, const Block& block) {
  constexpr int64_t unit = lane_unit<T>;
  for (int64_t s = 0; s < count; s += unit)
    for (int64_t x = 0; x < width; x += unit) block(s, std::min(unit, count - s), x, std::min(unit, width - x));
}

}  // namespace

template <class T>
void slices_to_lanes(const T* slices, int64_t plane, int64_t count, int64_t width, T* lines, int64_t lanes) {
  each_block<T>(count, width, [&](int64_t s, int64_t rows, int64_t x, int64_t cols) {
    transpose_block(slices + s * plane + x, plane, rows, cols, lines + x * lanes + s, lanes,
                    [](auto* to, auto value) { *to = value; });
  });
}
template <class T>
void lanes_to_slices(const T* lines, int64_t lanes, int64_t count, int64_t width, T* slices, int64_t plane) {
  each_block<T>(count, width, [&](int64_t s, int64_t cols, int64_t x, int64_t rows) {
    transpose_block(lines + x * lanes + s, lanes, rows, cols, slices + s * plane + x, plane,
                    [](auto* to, auto value) { *to = value; });
  });
}
template <class T>
void add_lanes_to_slices(const T* lines, int64_t lanes, int64_t count, int64_t width, T* slices, int64_t plane) {
  each_block<T>(count, width, [&](int64_t s, int64_t cols, int64_t x, int64_t rows) {
    transpose_block(lines + x * lanes + s, lanes, rows, cols, slices + s * plane + x, plane,
                    [](auto* to, auto value) { *to += value; });
  });
}

template void slices_to_lanes(const float*, int64_t, int64_t, int64_t, float*, int64_t);
template void slices_to_lanes(const double*, int64_t, int64_t, int64_t, double*, int64_t);
template void lanes_to_slices(const float*, int64_t, int64_t, int64_t, float*, int64_t);
template void lanes_to_slices(const double*, int64_t, int64_t, int64_t, double*, int64_t);
template void add_lanes_to_slices(const float*, int64_t, int64_t, int64_t, float*, int64_t);
template void add_lanes_to_slices(const double*, int64_t, int64_t, int64_t, double*, int64_t);

}  // namespace tl::ops
