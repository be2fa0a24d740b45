// What a real detector adds to a simulated scan: columns that drift away from their flats, zingers, dead pixels.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/region.h"

namespace tl::ops {

// Shares of the pixels (0 to 1) that have a defect. Which ones follows from the seed and the pixel's place alone: any
// region of a scan is the same part of the same scan.
struct DetectorDefects {
  double stripes = 0;  // pixels whose gain changed after the flats were taken, by a normal number of 5 %
  double zingers = 0;  // readings hit by a stray photon
  double dead = 0;     // pixels that always read the dark level
  uint64_t seed = 0;
  int64_t rows = 1, cols = 1;  // of the whole detector
};

// Gain of the projections against the flats [row, col], float64: the cause of stripes in sinograms and rings in slices.
at::Tensor stripe_gain(const DetectorDefects& defects, Range rows, Range cols);
// 1 where a pixel works, 0 where it is dead [row, col], float64.
at::Tensor alive(const DetectorDefects& defects, Range rows, Range cols);
// Adds `counts` to the readings that were hit; `frames` is [view, row, col] float64 and contiguous, the region says
// where it lies in the whole scan.
void add_zingers(at::Tensor& frames, const DetectorDefects& defects, const ScanRegion& region, double counts);

}  // namespace tl::ops
