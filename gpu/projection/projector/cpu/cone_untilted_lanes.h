// Inner loops of the projector for rays that lie above each other column by column: lanes run along z, one call per
// tile of voxels, in a variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/projection/projector/math.h"

namespace tl::ops {

// The rays of one detector column. In line n of the main axis (0 = x, 1 = y) they lie at slope * n + offset along the
// other one, and the ray of row r at z = z0 + z1 n + r (row0 + row1 n).
struct ConeColumnRays {
  double slope, offset, z0, z1, row0, row1;
  int32_t main;
};
ConeColumnRays cone_column_rays(const ProjectTask& task, const RayFan& fan, int64_t col);

// Neighbouring rows lie this many voxels apart in every line, or the permuted registers do not reach.
inline constexpr double least_row_step = 0.6, most_row_step = 1.9;
// Zeros at both ends of a line along z or along the rows.
inline constexpr int64_t cone_column_padding = 32;

// Voxels begin <= index < end along x, y and z, z innermost; data points at voxel (begin, begin, begin).
template <class T>
struct ConeTile {
  int64_t begin[3], end[3];
  int64_t stride[2];  // of data along x and y
  T* data;
};

// A group of views with the columns outside and the rows inside: data[view][column][row - first_row].
template <class T>
struct ConeColumns {
  const RayFan* fans;
  int64_t views, first_row, rows;
  T* data;
  int64_t view_stride, col_stride;  // col_stride covers rows rounded up to 16
};

// columns += the part of every ray that lies in the tile, in voxel steps (without the length). The tile has
// cone_column_padding zeros at both ends along z, and tile_border voxels of zeros along x and y.
void project_cone_tile(const ProjectTask& task, const ConeColumns<float>& columns, const ConeTile<const float>& tile);

// tile += the transpose of that. The columns have cone_column_padding zeros at both ends; what the tile receives in its
// border along x and y belongs to others and is not used. begin[2] ... end[2] is a multiple of 16 long.
void collect_cone_tile(const ProjectTask& task, const ConeColumns<const float>& columns, const ConeTile<float>& tile);

}  // namespace tl::ops
