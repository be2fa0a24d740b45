// Bilinear interpolation on a regular grid: value and slopes, with the mean of the one-sided slopes at kinks.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Positions closer than this to a sample [samples] count as exactly on it, since rounding would decide the side.
inline constexpr double kink = 1e-9;

// One coordinate, split into the index of the sample below and the fraction.
struct SamplePosition {
  TL_HD explicit SamplePosition(double x)
      : low(static_cast<int64_t>(std::floor(x + kink))), fraction(x - static_cast<double>(low)) {
    if (fraction < kink) fraction = 0;
  }
  // Slope from the samples at low - 1, low and low + 1.
  [[nodiscard]] TL_HD double slope(const double* s) const { return fraction == 0 ? 0.5 * (s[2] - s[0]) : s[2] - s[1]; }
  int64_t low;
  double fraction;
};

struct BilinearSlopes {
  double value, along_x, along_y;
};

// sample(y, x) must accept any pair of integers (0 beyond the edge).
template <class Sample>
TL_HD inline BilinearSlopes bilinear_slopes(const Sample& sample, double y, double x) {
  const SamplePosition cx(x), cy(y);
  double column[3], row[3];  // at -1, 0, +1 from the cell's low corner, interpolated along the other axis
  for (int64_t n = -1; n <= 1; ++n) {
    row[n + 1] = (1 - cx.fraction) * sample(cy.low + n, cx.low) + cx.fraction * sample(cy.low + n, cx.low + 1);
    column[n + 1] = (1 - cy.fraction) * sample(cy.low, cx.low + n) + cy.fraction * sample(cy.low + 1, cx.low + n);
  }
  return {(1 - cy.fraction) * row[1] + cy.fraction * row[2], cx.slope(column), cy.slope(row)};
}

}  // namespace tl::ops
