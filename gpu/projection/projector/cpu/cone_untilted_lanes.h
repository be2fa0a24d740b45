// Inner loops of the projector for cone beams without tilt: vector lanes run along z, one call per tile of voxels, one
// variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/projection/projector/shared/math.h"

namespace tl::ops {

// The rays of one detector column. In line n of the main axis (0 = x, 1 = y) they lie at slope * n + offset along the
// other axis, and the ray of detector row r is at z = z0 + z1 n + r (row0 + row1 n).
struct ConeColumnRays {
  double slope, offset, z0, z1, row0, row1;
  int32_t main;
};
ConeColumnRays cone_column_rays(const ProjectTask& task, const RayFan& fan, int64_t col);

// Allowed distance between neighbouring rows in every line [voxels]: outside it the permuted registers do not cover the
// lanes.
inline constexpr double min_row_step = 0.6, max_row_step = 1.9;
// Number of zeros at both ends of a line along z or along the detector rows.
inline constexpr int64_t cone_column_padding = 32;

// Voxels begin <= index < end along x, y and z, z innermost; data points at voxel (begin, begin, begin).
template <class T>
struct ConeTile {
  int64_t begin[3], end[3];
  int64_t stride[2];  // memory strides of data along x and y
  T* data;
};

// A group of views with columns outermost and rows innermost: data[view][column][row - first_row].
template <class T>
struct ConeColumns {
  const RayFan* fans;
  int64_t views, first_row, rows;
  T* data;
  int64_t view_stride, col_stride;  // col_stride covers rows rounded up to 16
};

// Adds to columns the part of every ray inside the tile, in voxel steps (ray length not included). The tile has
// cone_column_padding zeros at both ends along z, and tile_border voxels of zeros along x and y.
void project_cone_tile(const ProjectTask& task, const ConeColumns<float>& columns, const ConeTile<const float>& tile);

// Adds the transpose of that to the tile. The columns have cone_column_padding zeros at both ends. Values added to the
// tile's border along x and y belong to neighbouring tiles and are discarded. end[2] - begin[2] is a multiple of 16.
void collect_cone_tile(const ProjectTask& task, const ConeColumns<const float>& columns, const ConeTile<float>& tile);

}  // namespace tl::ops
