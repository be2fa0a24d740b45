// ClippedVoxels: how many values do not fit the range of integers that are to be written.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/io/output/samples.h"

namespace tl::io {

// Voxels whose values are changed by more than rounding: those below the range become its low end, those above it the
// high end, and NaN the low end.
struct ClippedVoxels {
  int64_t voxels = 0;  // all that were counted
  int64_t below = 0, above = 0, not_numbers = 0;

  void add(const ClippedVoxels& more);
  [[nodiscard]] int64_t clipped() const { return below + above + not_numbers; }
  // Of all voxels; 0 if there are none.
  [[nodiscard]] double share() const;
  // "0.12 % of the voxels are outside of 0 to 1 and are clipped (7 below, 5 NaN)".
  [[nodiscard]] std::string text(const SampleScale& scale) const;
};

// `voxels`: floating point, on any device. Nothing is clipped for float32.
ClippedVoxels clipped_voxels(const at::Tensor& voxels, const SampleScale& scale);

}  // namespace tl::io
