// Inner loops of the fast back-projection, one call per tile of voxel columns, in a variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/projection/back_projector/math.h"

namespace tl::ops {

// A group of views, copied with the rows innermost: data[view][col + 1][lane], zero columns around it so that a clamped
// position needs no further test: column -1 in front, columns `cols` and `cols + 1` behind.
struct ColumnCopy {
  const float* data;
  int64_t first_view, views;  // of the group
  int64_t lanes;              // floats per column
  int64_t first_row = 0;      // of the detector, in lane 0, where lanes are detector rows
};
inline constexpr int64_t column_padding = 3;

// Voxel columns j0 <= j < j1, i0 <= i < i1 of a tile; sums[((j - j0) * (i1 - i0) + i - i0) * stride + lane].
struct ColumnTile {
  int64_t j0, j1, i0, i1;
  float* sums;
  int64_t lanes, stride;
};

// Adds a group of views to a tile, a few views at a time: what the tile sees of them stays in L2. `fixed`: lanes are
// slices, already interpolated from rows; a multiple of 4.
void add_fixed_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile);
// `moving`: lanes of the copy are detector rows, those of the sums are slices k0 ... k0 + slices - 1.
// The copy begins with row 0. `line` is scratch for rows + 3 floats.
void add_moving_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile, int64_t k0,
                     int64_t slices, float* line);

}  // namespace tl::ops
