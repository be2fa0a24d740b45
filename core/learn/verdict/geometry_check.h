// Checks a learned geometry against opposite views or rays and the ends of the rows, independently of the objective.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tl {
struct Projections;
}

namespace tl::learn {

// Possible error of the axis [px] found from a scan's absorption. Parallel beam: its distance from the axis of opposite
// views if that exceeds three of their sigmas (one sigma if the object extends beyond the rows or these have stripes);
// at least a pixel if opposite views show motion or wrong angles; an eighth of the width if the object extends beyond
// the rows, or these have stripes, and opposite views resolve nothing. Cone beam over a full turn: how far opposite
// rays pull the axis, if by more than a hundredth of the width; their axis and sigma if the rows have stripes. 0
// without evidence of an error. Stripes are corrected before opposite views and rays are compared.
double axis_displacement(const Projections& scan, double axis);

// Error of the axis [px] that opposite views, or opposite rays of a cone beam, would not detect: the distance
// from their axis plus their sigma. Empty if they resolve no axis, or one more than three of their sigmas
// away.
std::optional<double> axis_confirmation_limit(const Projections& scan, double axis);

// Possible error of the tilt [rad] of a scan's absorption in a parallel beam: lines across the learned axis, in the
// upper and lower part of the detector, must have the same axis. The difference if it exceeds three sigmas of opposite
// views; at least a pixel over that distance if they show motion or wrong angles, an eighth of the width if the object
// extends beyond the rows and they resolve nothing. 0 without evidence of an error.
double tilt_displacement(const Projections& scan, double axis, double tilt);

// Why no upright or tilted axis across the beam describes a scan's absorption in a parallel beam, where opposite views
// show that the axis leans along the beam, which a learned axis and tilt do not contain. Empty where they do not.
std::string axis_lean_warning(const Projections& scan, double axis, double tilt);

inline constexpr int64_t trait_rows = 3;  // rows in the middle of the detector: enough to show an object beyond them
// Does the object reach an end of the detector's rows, more than noise explains?
bool object_leaves_rows(const Projections& scan);

}  // namespace tl::learn
