// A bilinear signal on a regular grid and its slopes, with the mean of the one-sided slopes at its kinks.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Nearer than this to a sample [samples], rounding of the position decides the side: it counts as the kink itself.
inline constexpr double kink = 1e-9;

// One coordinate split into the sample below and the fraction.
struct Cell {
  TL_HD explicit Cell(double x)
      : low(static_cast<int64_t>(std::floor(x + kink))), fraction(x - static_cast<double>(low)) {
    if (fraction < kink) fraction = 0;
  }
  // From the samples at low - 1, low and low + 1.
  [[nodiscard]] TL_HD double slope(const double* s) const { return fraction == 0 ? 0.5 * (s[2] - s[0]) : s[2] - s[1]; }
  int64_t low;
  double fraction;
};

struct Slopes {
  double value, along_x, along_y;
};

// sample(y, x) answers for any pair of integers (0 beyond the edge).
template <class Sample>
TL_HD inline Slopes bilinear_slopes(const Sample& sample, double y, double x) {
  const Cell cx(x), cy(y);
  double column[3], row[3];  // at -1, 0, +1 from the cell's low corner, interpolated across
  for (int64_t n = -1; n <= 1; ++n) {
    row[n + 1] = (1 - cx.fraction) * sample(cy.low + n, cx.low) + cx.fraction * sample(cy.low + n, cx.low + 1);
    column[n + 1] = (1 - cy.fraction) * sample(cy.low, cx.low + n) + cy.fraction * sample(cy.low + 1, cx.low + n);
  }
  return {(1 - cy.fraction) * row[1] + cy.fraction * row[2], cx.slope(column), cy.slope(row)};
}

}  // namespace tl::ops
