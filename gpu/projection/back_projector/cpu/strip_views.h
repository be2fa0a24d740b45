// Inner AVX-512 loop of the back-projection by strips: sums views over lines of sixteen voxels, from three detector
// rows in registers or pixel by pixel.
#pragma once

#include <cstdint>

#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {

inline constexpr int64_t strip_width = 16, strip_lines = 8;
inline constexpr int64_t max_strip_views = 16;

// How a line reads a view. narrow, wide: from three rows of 16 or 32 pixels in registers; pixels: pixel by pixel.
enum class StripReadMode : int32_t { nothing, narrow, wide, pixels };

// The mode for a view in which, from one voxel of a line to the next, the position moves by up to col_step and row_step
// pixels and the divisor changes by a fraction depth_step.
[[nodiscard]] StripReadMode strip_read_mode(double col_step, double row_step, double depth_step);

// Number of pixels read before and after the pixels onto which the voxels project.
struct StripMargin {
  int64_t rows, cols;
};
[[nodiscard]] StripMargin strip_margin(StripReadMode read_mode);

// Detector pixels needed by a tile, for a group of views: pixels[n] is pixel (row[n], col[n]) of view first + n, rows
// are stride[n] apart. All pixels within the margin are allocated; those that voxels project onto have their values,
// zeros beyond the detector.
struct StripViews {
  int64_t first, views;  // at most max_strip_views
  const float* pixels[max_strip_views];
  alignas(64) double row[max_strip_views], col[max_strip_views], stride[max_strip_views];
  StripReadMode read_mode[max_strip_views];
};

// Destination of a strip's sums: lines `stride` floats apart; added to the present values or overwriting them.
struct StripSums {
  float* first;
  int64_t stride;
  bool added;
};

// Sums over the views for the voxels (k, j0 + n / 16, i0 + n % 16), n = 0 ... 127. Voxels beyond the grid are computed
// as well.
void collect_strips(const BackProjectTask& task, const ViewArrays& maps, const StripViews& windows, int64_t k,
                    int64_t j0, int64_t i0, const StripSums& out);

}  // namespace tl::ops
