// Inner loop of the back-projection of plane slices and its derivative: blocks of 16 x 8 voxels, views in registers.
#pragma once

#include <cstdint>
#include <vector>

namespace tl::ops {

inline constexpr int64_t plane_block_x = 16, plane_block_y = 8, max_plane_views = 256;
inline constexpr int64_t plane_padding = 48;  // zeros at both ends of a line

// One detector line per view, data[view][plane_padding + col]. Each of u, w, du and dw is three arrays over the views:
// its value at voxel (i, j) is [0] + [1] i + [2] j. Column = u / w; du and dw are the derivatives of u and w.
struct PlaneLines {
  const float* data;
  int64_t stride, views, cols;
  const double *u[3], *w[3], *du[3], *dw[3];  // readable for eight elements beyond `views`
};

struct PlaneBlock {
  alignas(64) float value[plane_block_x * plane_block_y], slope[plane_block_x * plane_block_y];
};

// Sums over the views for the voxels (j0 + n / 16, i0 + n % 16). With PlaneOutputs::value the slopes are undefined.
enum class PlaneOutputs { value, both };
void collect_plane_block(const PlaneLines& lines, double j0, double i0, PlaneOutputs want, PlaneBlock& block);

}  // namespace tl::ops
