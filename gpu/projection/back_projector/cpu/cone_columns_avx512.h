// Inner loop of the back-projection of a plain circular cone scan with AVX-512: voxel columns along z are read from
// detector columns that are kept in registers and permuted.
#pragma once

#include <cstdint>

#include "gpu/projection/back_projector/cpu/lanes.h"
#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {

// Largest number of slices processed at a time: eight registers accumulate them over the views.
inline constexpr int64_t cone_column_slices = 128;
// The projections of sixteen voxels along z reach at most this many pixels below and above the row of their middle.
inline constexpr int64_t cone_column_reach = 16;

// Whether sixteen voxels along z always project within 2 * cone_column_reach rows, and the whole grid is in front of
// the source.
[[nodiscard]] bool cone_columns_fit(const BackProjectTask& task);

// Adds a group of views to a tile. Lanes of the copy are detector rows from copy.first_row on, with zeros beyond the
// detector; lanes of the sums are slices k0 ... k0 + lanes - 1 (16, 32, 64 or cone_column_slices of them). For every
// sixteen slices, either all rows within cone_column_reach + 1 of their middle are in the copy, or the middle is
// farther from the detector than cone_column_reach + 1.
void add_cone_columns(const BackProjectTask& task, const ViewArrays& maps, const ColumnCopy& copy,
                      const ColumnTile& tile, int64_t k0);

}  // namespace tl::ops
