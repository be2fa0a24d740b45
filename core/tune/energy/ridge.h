// Ridge: the clock above which a GPU raises its voltage, so that power grows faster than speed.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/tune/energy/clock_points.h"

namespace tl::tune {

// The model of Schoonhoven et al. (Going Green, PMBS at SC22): P(f) = min(most, base + rate (f -
// lowest) V^2), where V = 1 + slope (f - ridge) above the ridge and 1 up to it; `lowest` is the lowest measured clock.
struct PowerModel {
  double ridge_mhz = 0, base_watts = 0, watts_per_mhz = 0, slope_per_mhz = 0, most_watts = 0, lowest_mhz = 0;
  [[nodiscard]] double watts(double mhz) const;
};

struct Ridge {
  PowerModel model;
  double uncertainty_mhz =
      0;                 // one sigma: where the sum of squares, minimised over the rest, has grown by its variance
  double rms_watts = 0;  // of the residuals
};

// Least squares over all five numbers, the ridge anywhere between the clocks. Invalid for fewer than six different
// clocks: five numbers would fit them whatever they are.
Result<Ridge> find_ridge(const std::vector<ClockPoint>& points);

// Those of which no other is both faster and thriftier, the fastest first.
std::vector<ClockPoint> time_energy_front(const std::vector<ClockPoint>& points);

}  // namespace tl::tune
