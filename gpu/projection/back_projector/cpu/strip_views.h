// Inner loop of the back-projection in strips with AVX-512: lines of sixteen voxels that land within three rows of the
// detector.
#pragma once

#include <cstdint>

#include "gpu/projection/back_projector/cpu/views.h"

namespace tl::ops {

inline constexpr int64_t strip_width = 16, strip_lines = 8;
inline constexpr int64_t most_strip_views = 16;

// How a line reads a view: not at all; from three rows of 16 or of 32 pixels in registers; pixel by pixel.
enum class StripWay : int32_t { nothing, narrow, wide, pixels };

// Of a view with landings so many columns and rows apart, and a divisor that changes by such a part of itself, from one
// voxel of a line to the next.
[[nodiscard]] StripWay strip_way(double col_step, double row_step, double depth_step);

// How many pixels before and after those below its voxels are read.
struct StripMargin {
  int64_t rows, cols;
};
[[nodiscard]] StripMargin strip_margin(StripWay way);

// What a tile sees of a group of views: pixels[n] is (row[n], col[n]) of view first + n, the next row is stride[n]
// further. All within the margin exists; those that voxels land on have their values, zeros beyond the detector.
struct StripViews {
  int64_t first, views;  // at most most_strip_views
  const float* pixels[most_strip_views];
  alignas(64) double row[most_strip_views], col[most_strip_views], stride[most_strip_views];
  StripWay way[most_strip_views];
};

// Where the sums of a strip go: its lines are `stride` floats apart; in place of what is there, or added to it.
struct StripSums {
  float* first;
  int64_t stride;
  bool added;
};

// Sums over the views of the voxels (k, j0 + n / 16, i0 + n % 16), n = 0 ... 127. Voxels beyond the grid are computed
// like the others.
void collect_strips(const BackProjectTask& task, const ViewArrays& maps, const StripViews& held, int64_t k, int64_t j0,
                    int64_t i0, const StripSums& out);

}  // namespace tl::ops
