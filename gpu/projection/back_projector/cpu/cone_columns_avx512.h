// Inner loop of the back-projection of a plain circular cone scan with AVX-512: columns of voxels walk along detector
// columns, which registers hold and permute.
#pragma once

#include <cstdint>

#include "gpu/projection/back_projector/cpu/lanes.h"
#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {

// Slices that are walked at a time: eight registers collect them while the views pass.
inline constexpr int64_t cone_column_slices = 128;
// Sixteen voxels reach this many pixels below and above the row on which their middle lands.
inline constexpr int64_t cone_column_reach = 16;

// Whether sixteen voxels along z always land within 2 * cone_column_reach rows, and the whole grid is before the
// source.
[[nodiscard]] bool cone_columns_fit(const BackProjectTask& task);

// Adds a group of views to a tile: lanes of the copy are detector rows from copy.first_row on, with zeros where the
// detector ends; those of the sums are slices k0 ... k0 + lanes - 1: 16, 32, 64 or cone_column_slices. Every row
// within cone_column_reach + 1 of the middle of sixteen slices is in the copy, or the middle is further from the
// detector than cone_column_reach + 1.
void add_cone_columns(const BackProjectTask& task, const ViewArrays& maps, const ColumnCopy& copy,
                      const ColumnTile& tile, int64_t k0);

}  // namespace tl::ops
