// Inner loops of the projector for parallel beams without tilt (rays within one slice): lanes are slices, one call per
// tile of voxels, one variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/device/transpose_lanes.h"

namespace tl::ops {

// The rays of one view in voxel indices. The ray of column c crosses line n of its main axis (0 = x, 1 = y) at offset +
// c * step + slope * n along the other axis. Conversely, voxel (x, y) lies at column u + x u_x + y u_y.
struct UntiltedView {
  double offset, step, slope;
  double u, u_x, u_y;
  double first_slice, slice_step;  // slice index of row 0, and its change per row
  double length;                   // ray length per line [mm]
  int32_t main;
};

// Voxels begin <= index < end along x and y, lanes innermost; data points at voxel (begin, begin).
template <class T>
struct UntiltedTile {
  int64_t begin[2], end[2];
  int64_t stride[2];  // memory strides of data along x and y
  T* data;
  int64_t lanes;  // a multiple of lane_unit
};
inline constexpr int64_t max_untilted_views = 64;
// Number of columns whose rays can cross one voxel in a view, rounded up: 2 if pixels are at least as large as voxels.
inline constexpr int64_t max_untilted_taps = 8;

// A group of views with columns outermost and lanes innermost: data[view][column][lane].
template <class T>
struct UntiltedColumns {
  const UntiltedView* views;
  int64_t count, cols;
  T* data;
  int64_t view_stride;  // between views; columns are `lanes` of the tile apart
};

// Adds to columns the part of every ray inside the tile, in voxel steps (ray length not included).
template <class T>
void project_untilted_tile(const UntiltedColumns<T>& columns, const UntiltedTile<const T>& tile);

// Adds the transpose to the tile, for views with at most `taps` columns per voxel (2, 4 or 8); at most
// max_untilted_views of them, with `taps` columns of zeros on either side of the data.
template <class T>
void collect_untilted_tile(const UntiltedColumns<const T>& columns, int64_t taps, const UntiltedTile<T>& tile);

}  // namespace tl::ops
