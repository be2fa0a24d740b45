// Simulated detector defects: columns whose gain drifts from the flats, zingers, dead pixels.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/region.h"

namespace tl::ops {

// Fractions of the pixels (0 to 1) with a defect. They depend only on the seed and the pixel's position, so that any
// region of a scan has the same defects as the whole scan.
struct DetectorDefects {
  double stripes = 0;  // pixels whose gain changed after the flats were taken, by a normally distributed 5 %
  double zingers = 0;  // readings hit by a stray photon
  double dead = 0;     // share of pixels that always read the dark level
  uint64_t seed = 0;
  int64_t rows = 1, cols = 1;  // of the whole detector
};

// Gain of the projections relative to the flats [row, col], float64: causes stripes in sinograms and rings in slices.
at::Tensor stripe_gain(const DetectorDefects& defects, Range rows, Range cols);
// 1 for a working pixel, 0 for a dead one [row, col], float64.
at::Tensor working_pixels(const DetectorDefects& defects, Range rows, Range cols);
// Adds `counts` to the readings hit by a photon; `frames` is [view, row, col] float64 and contiguous, `region` is its
// position in the whole scan.
void add_zingers(at::Tensor& frames, const DetectorDefects& defects, const ScanRegion& region, double counts);

}  // namespace tl::ops
