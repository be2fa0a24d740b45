// Inner loops of the back-projection by voxel columns: one call per tile, one variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// A copy of a group of views with the rows innermost: data[view][col + 1][lane]. Zero columns (-1 in front, `cols` and
// `cols + 1` behind) make further tests of clamped positions unnecessary.
struct ColumnCopy {
  const float* data;
  int64_t first_view, views;  // of the group
  int64_t lanes;              // floats per column
  int64_t first_row = 0;      // detector row of lane 0, if lanes are detector rows
};
inline constexpr int64_t column_padding = 3;

// Voxel columns j0 <= j < j1, i0 <= i < i1 of a tile; sums[((j - j0) * (i1 - i0) + i - i0) * stride + lane].
struct ColumnTile {
  int64_t j0, j1, i0, i1;
  float* sums;
  int64_t lanes, stride;
};

// For ColumnKind::fixed_rows: adds a group of views to a tile, a few views at a time so that the pixels the tile needs
// stay in L2. Lanes are slices, already interpolated from rows; their number is a multiple of 4.
void add_fixed_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile);
// For ColumnKind::moving_rows, where a slice projects onto another detector row in each voxel column: lanes of the copy
// are detector rows starting with row 0, lanes of the sums are slices k0 ... k0 + slices - 1. `line` is scratch memory
// for rows + 3 floats.
void add_moving_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile, int64_t k0,
                     int64_t slices, float* line);

}  // namespace tl::ops
