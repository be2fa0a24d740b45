// Gaussian smoothing of blocks of lines, with threads along rows, so that a single slice occupies all threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct BlockShape {
  int64_t nz = 1, ny = 1, nx = 1;
  [[nodiscard]] int64_t count() const { return nz * ny * nx; }
};

// Standard deviations along z, y, x in voxels; 0: not along that axis.
using AxisSigmas = std::array<double, 3>;

// The block smoothed by Gaussians that end at round(4 sigma), mirrored at its borders with the edge voxel repeated.
// `from` and `to` are different.
void smooth_block(const float* from, const BlockShape& n, const AxisSigmas& sigmas, float* to,
                  const CancelToken& cancel);

// The steps of one row to its neighbours along z and y and, by the index, along x, mirrored at the borders.
struct RowNeighbours {
  const float *row, *below, *above, *before, *after;
  int64_t nx;
};
RowNeighbours neighbours_of_row(const float* block, const BlockShape& n, int64_t z, int64_t y);

}  // namespace tl::ops
