// Inner loops of the fast back-projection, one call per tile of voxel columns, in a variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/ops/back_projector_math.h"

namespace tl::ops {

// A group of views, copied with the rows innermost: data[view][col + 1][lane], zero columns around it so that a clamped
// position needs no further test: column -1 in front, columns `cols` and `cols + 1` behind.
struct ColumnCopy {
  const float* data;
  int64_t first_view, views;  // of the group
  int64_t lanes;              // floats per column
};
inline constexpr int64_t column_padding = 3;
inline constexpr int64_t most_group_views = 64;

// Voxel columns j0 <= j < j1, i0 <= i < i1 of a tile; sums[(j - j0) * (i1 - i0) + i - i0][lane].
struct ColumnTile {
  int64_t j0, j1, i0, i1;
  float* sums;
  int64_t lanes;  // floats per voxel column in sums
};

// Adds a group of views to a tile. `fixed`: lanes are slices, already interpolated from rows; a multiple of 4.
void add_fixed_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile);
// `moving`: lanes of the copy are detector rows, those of the sums are slices k0 ... k0 + slices - 1.
// `line` is scratch for rows + 3 floats.
void add_moving_rows(const BackProjectTask& task, const ColumnCopy& copy, const ColumnTile& tile, int64_t k0,
                     int64_t slices, float* line);

}  // namespace tl::ops
