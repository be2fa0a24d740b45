// Inner loop of the back-projection by slices: sums a group of views for squares of 16 x 16 voxels in registers.
#pragma once

#include <cstdint>

namespace tl::ops {

inline constexpr int64_t square_size = 16;
inline constexpr int64_t max_square_views = 256;
// Zero pixels at both ends of a line: a square clamped to them collects nothing.
inline constexpr int64_t line_padding = 48;

// One detector line per view, data[view][line_padding + col], and the column of voxel (i, j): u0 + u1 i + u2 j. u0, u1
// and u2 hold one number per view and are readable for seven more (ViewArrays).
struct LineGroup {
  const float* data;
  int64_t stride, views, cols;
  const double *u0, *u1, *u2;
};

// Part of a slice: voxels of rows j0 <= j < j1 (at most 16) and 0 <= i < nx; out[(j - j0) * nx + i].
struct SquareRow {
  int64_t j0, j1, nx;
  float* out;
};

enum class Collect { write, add };

void collect_squares(const LineGroup& lines, const SquareRow& row, Collect collect);

}  // namespace tl::ops
