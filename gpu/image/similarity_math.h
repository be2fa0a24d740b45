// Bilateral filter and non-local means on a device, one call per voxel. The CPU loops use the same weights.
#pragma once

#include <cstdint>

#include "gpu/device/exp_negative.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {

// near: weight by distance; difference: of the two values; inverse: -1 / (2 sigma_value^2).
template <class T>
TL_HD __attribute__((always_inline)) inline T bilateral_weight(T near, T difference, T inverse) {
  return near * exp_negative(difference * difference * inverse);
}

// squares: sum of squared differences of two patches; share: 1 / voxels of a patch; expected: 2 noise^2; inverse: -1 /
// h^2.
template <class T>
TL_HD __attribute__((always_inline)) inline T patch_weight(T squares, T share, T expected, T inverse) {
  const T excess = squares * share - expected;
  return exp_negative((excess < 0 ? T{0} : excess) * inverse);
}

// Access to a volume with mirrored borders.
template <class T>
struct MirroredVolume {
  const T* in;
  int64_t nz, ny, nx;

  TL_HD T at(int64_t z, int64_t y, int64_t x) const {
    return in[(mirrored_index(z, nz) * ny + mirrored_index(y, ny)) * nx + mirrored_index(x, nx)];
  }
};

template <class T>
struct BilateralVoxel {
  MirroredVolume<T> volume;
  int64_t reach_z, reach_y, reach_x;
  const T* near;  // [2 reach_z + 1, 2 reach_y + 1, 2 reach_x + 1]
  T inverse;
  T* out;

  TL_HD void operator()(int64_t index) const {
    const int64_t x = index % volume.nx, y = index / volume.nx % volume.ny, z = index / volume.nx / volume.ny;
    const T centre = volume.in[index];
    // Differences from the centre keep precision if all values are large.
    T sum = 0, weight = 0;
    const T* next = near;
    for (int64_t k = -reach_z; k <= reach_z; ++k)
      for (int64_t j = -reach_y; j <= reach_y; ++j)
        for (int64_t i = -reach_x; i <= reach_x; ++i) {
          const T difference = volume.at(z + k, y + j, x + i) - centre;
          const T w = bilateral_weight(*next++, difference, inverse);
          sum += w * difference;
          weight += w;
        }
    out[index] = centre + sum / weight;
  }
};

template <class T>
struct SimilarVoxel {
  MirroredVolume<T> volume;
  int64_t search_z, search_y, search_x, patch_z, patch_y, patch_x;
  T share, expected, inverse;
  T* out;

  TL_HD void operator()(int64_t index) const {
    const int64_t x = index % volume.nx, y = index / volume.nx % volume.ny, z = index / volume.nx / volume.ny;
    const T centre = volume.in[index];
    T sum = 0, weight = 0;
    for (int64_t k = -search_z; k <= search_z; ++k)
      for (int64_t j = -search_y; j <= search_y; ++j)
        for (int64_t i = -search_x; i <= search_x; ++i) {
          const T like = patch_weight(squares(z, y, x, k, j, i), share, expected, inverse);
          sum += like * (volume.at(z + k, y + j, x + i) - centre);
          weight += like;
        }
    out[index] = centre + sum / weight;
  }

 private:
  // Sum of squared differences of the patches around a voxel and around the voxel at a shift from it.
  TL_HD T squares(int64_t z, int64_t y, int64_t x, int64_t dz, int64_t dy, int64_t dx) const {
    T sum = 0;
    for (int64_t k = z - patch_z; k <= z + patch_z; ++k)
      for (int64_t j = y - patch_y; j <= y + patch_y; ++j)
        for (int64_t i = x - patch_x; i <= x + patch_x; ++i) {
          const T difference = volume.at(k, j, i) - volume.at(k + dz, j + dy, i + dx);
          sum += difference * difference;
        }
    return sum;
  }
};

}  // namespace tl::ops
