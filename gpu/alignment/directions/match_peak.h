// The maximum of a correlation over direction, rotation and shift, from its values at neighbouring points.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/alignment/directions/direction_search.h"

namespace tl::ops {

// Shifts at which a direction is correlated: 3 x 3, columns innermost, around a start.
inline constexpr int64_t peak_shifts = 9;
inline constexpr double peak_shift_step = 0.6;  // [working px]
inline double peak_shift_col(int64_t q) { return peak_shift_step * static_cast<double>(q % 3 - 1); }
inline double peak_shift_row(int64_t q) { return peak_shift_step * static_cast<double>(q / 3 - 1); }

// The maximum over rotations and shifts of one direction.
struct DirectionPeak {
  ImageAxes axes;           // rotated by `angle` from upright_axes()
  double angle = 0;         // [rad]
  double col = 0, row = 0;  // relative to the start [working px]
  double value = 0;
};

// From the correlations with `angles` rotations at each of the shifts. Parabolas through three points.
DirectionPeak peak_of(const std::array<const float*, peak_shifts>& correlations, int64_t angles);

// The maximum over directions: a paraboloid through the best one of `peaks` and those up to 2.1 steps of `spacing`
// [rad] around it; rotation and shift follow it linearly. The best one itself where the values have no maximum there.
ImagePose paraboloid_peak(const std::vector<DirectionPeak>& peaks, double spacing);

}  // namespace tl::ops
