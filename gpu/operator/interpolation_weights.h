// Linear interpolation near one position: the weights of the neighbouring samples for the value and for the slope.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/operator/bilinear_slopes.h"

namespace tl::ops {

// Weights of the samples at low - 1, low and low + 1. At a kink (on a sample) the slope is the mean of the one-sided
// slopes.
struct InterpolationWeights {
  explicit InterpolationWeights(double x) {
    const SamplePosition cell(x);
    low = cell.low;
    value = {0, 1 - cell.fraction, cell.fraction};
    slope = cell.fraction == 0 ? std::array<double, 3>{-0.5, 0, 0.5} : std::array<double, 3>{0, -1, 1};
  }
  int64_t low;
  std::array<double, 3> value{}, slope{};
};

}  // namespace tl::ops
