// Interpolates a view at a fractional detector row, for loops that need one row per slice.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/projection/back_projector/shared/kernels.h"

namespace tl::ops {

// out[c * stride] = the view at (row, c), linear between rows, 0 beyond the detector. A row of weight 0 is not read,
// because it may contain a NaN.
inline void interpolate_row(const BackProjectTask& task, const float* projections, int64_t view, double row, float* out,
                            int64_t stride) {
  const bool on_detector = row > -1.0 && row < static_cast<double>(task.rows);
  if (!on_detector) {
    for (int64_t c = 0; c < task.cols; ++c) out[c * stride] = 0.0f;
    return;
  }
  const double low = std::floor(row);
  const auto r = static_cast<int64_t>(low);
  const float below = r >= 0 ? static_cast<float>(1.0 - (row - low)) : 0.0f;
  const float above = r + 1 < task.rows ? static_cast<float>(row - low) : 0.0f;
  const float* data = projections + view * task.rows * task.cols;
  const float* a = data + std::max<int64_t>(r, 0) * task.cols;
  const float* b = data + std::min(r + 1, task.rows - 1) * task.cols;
  if (above == 0.0f)
    for (int64_t c = 0; c < task.cols; ++c) out[c * stride] = below * a[c];
  else if (below == 0.0f)
    for (int64_t c = 0; c < task.cols; ++c) out[c * stride] = above * b[c];
  else
    for (int64_t c = 0; c < task.cols; ++c) out[c * stride] = below * a[c] + above * b[c];
}

}  // namespace tl::ops
