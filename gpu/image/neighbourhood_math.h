// Neighbourhood filters on a device, one call per voxel.
#pragma once

#include <cstdint>

#include "gpu/image/mirrored_index.h"
#include "gpu/image/ordered_keys.h"

namespace tl::ops {

// Convolution along one axis with a symmetric kernel k[0] ... k[reach]: neighbours are `stride` apart, `n` of them in a
// line.
template <class T>
struct SmoothAlong {
  const T* in;
  const T* kernel;
  int64_t reach, n, stride;
  T* out;

  TL_HD void operator()(int64_t index) const {
    const int64_t at = index / stride % n;
    const T* line = in + index - at * stride;
    T sum = kernel[0] * in[index];
    for (int64_t r = 1; r <= reach; ++r)
      sum += kernel[r] * (line[mirrored_index(at - r, n) * stride] + line[mirrored_index(at + r, n) * stride]);
    out[index] = sum;
  }
};

// The flat index of the voxel with the median of a box of `count` voxels, found by bisection of the values; among equal
// values the first. box(visit) calls visit(flat index) for the voxels in order until it returns false; `inside` is a
// voxel of the box.
template <class T, class Box>
TL_HD int64_t middle_of(const T* in, int64_t inside, int64_t count, const Box& box) {
  using Key = decltype(ordered(T{}));
  const int64_t half = count / 2;
  Key low = ordered(in[inside]), high = low;
  box([&](int64_t n) {
    const Key key = ordered(in[n]);
    low = key < low ? key : low;
    high = key > high ? key : high;
    return true;
  });
  // Finds the smallest key that is exceeded by less than half of the box.
  while (low < high) {
    const Key middle = (low & high) + ((low ^ high) >> 1);  // their mean without overflow
    int64_t below = 0;
    box([&](int64_t n) {
      below += ordered(in[n]) <= middle ? 1 : 0;
      return true;
    });
    if (below > half)
      high = middle;
    else
      low = middle + 1;
  }
  int64_t found = inside;
  box([&](int64_t n) {
    if (ordered(in[n]) != low) return true;
    found = n;
    return false;
  });
  return found;
}

// middle_of() for the box around each voxel.
template <class T>
struct MedianSource {
  const T* in;
  int64_t nz, ny, nx;
  int64_t reach_z, reach_y, reach_x;
  int64_t* from;

  // Calls visit(flat index) for the voxels of the box in order, until it returns false.
  template <class Visit>
  TL_HD void box(int64_t index, const Visit& visit) const {
    const int64_t x = index % nx, y = index / nx % ny, z = index / nx / ny;
    for (int64_t k = -reach_z; k <= reach_z; ++k)
      for (int64_t j = -reach_y; j <= reach_y; ++j) {
        const int64_t row = (mirrored_index(z + k, nz) * ny + mirrored_index(y + j, ny)) * nx;
        for (int64_t i = -reach_x; i <= reach_x; ++i)
          if (!visit(row + mirrored_index(x + i, nx))) return;
      }
  }
  TL_HD void operator()(int64_t index) const {
    const int64_t count = (2 * reach_z + 1) * (2 * reach_y + 1) * (2 * reach_x + 1);
    from[index] = middle_of(in, index, count, [&](const auto& visit) { box(index, visit); });
  }
};

}  // namespace tl::ops
