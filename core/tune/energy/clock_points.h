// ClockPoint: time and power of one program at one clock of a GPU, from a measured space.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/tune/space.h"

namespace tl::tune {

struct ClockPoint {
  double setting = 0;  // MHz that were asked for, or the measured ones where nothing was asked for
  double mhz = 0;      // measured
  double watts = 0;
  double ms = 0;
  [[nodiscard]] double millijoules() const { return watts * ms; }
};

// Of all configurations that did not fail and have a clock ("core_freq", else the parameter "nvml_gr_clock") and a
// power
// ("nvml_power"), by rising clock. Unavailable if none has: a power that was not measured is not 0 W.
Result<std::vector<ClockPoint>> clock_points(const Space& space);

}  // namespace tl::tune
