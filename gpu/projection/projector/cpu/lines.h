// The lines of a voxel tile that a ray crosses, shared by the fast loops of the projector.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tl::ops {

// Rounding tolerance of a position [voxels]; covered by the zeros around a tile.
inline constexpr double line_slack = 1e-9;
// Voxels of zeros around a tile, provided by the caller, and the largest number of lines in a tile.
inline constexpr int64_t tile_border = 2;
inline constexpr int64_t max_tile_lines = 64;

struct LineSpan {
  int64_t begin, end;
};

// The lines n0 <= n < n1 in which position + slope * n touches voxels a0 <= a < a1.
inline LineSpan lines_of(double position, double slope, int64_t n0, int64_t n1, int64_t a0, int64_t a1) {
  const double low = static_cast<double>(a0 - 1) - position, high = static_cast<double>(a1) - position;
  if (slope == 0) return low < 0 && high > 0 ? LineSpan{n0, n1} : LineSpan{n0, n0};
  const double enter = low / slope, leave = high / slope;
  const double first = std::max(static_cast<double>(n0), std::ceil(std::min(enter, leave) - line_slack));
  const double last = std::min(static_cast<double>(n1 - 1), std::floor(std::max(enter, leave) + line_slack));
  if (!(first <= last)) return {n0, n0};
  return {static_cast<int64_t>(first), static_cast<int64_t>(last) + 1};
}

}  // namespace tl::ops
