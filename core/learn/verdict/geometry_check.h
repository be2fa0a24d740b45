// Checks a learned geometry against opposite views or rays and the ends of the rows, independently of the objective.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tl {
struct Projections;
}

namespace tl::learn {

// How far the axis of a scan's absorption may be displaced [px]: its distance from the axis of opposite views where
// that exceeds three of their sigmas, one sigma where the object leaves the rows or these have stripes; at least a
// pixel where they show motion or wrong angles; an eighth of the width where the object leaves the rows, or these
// have stripes, and opposite views decide nothing. A cone beam of a full turn: how far opposite rays pull the axis,
// from a hundredth of the width on; their axis and sigma where the rows have stripes. 0 where nothing speaks against
// it. Stripes are corrected before opposite views and rays are asked.
double axis_displacement(const Projections& scan, double axis);

// How far the axis of a scan's absorption may be displaced [px] without opposite views, or opposite rays of a cone
// beam, noticing it: its distance from their axis and their sigma, together. Empty where they resolve no axis, or one
// that is more than three of their sigmas away.
std::optional<double> axis_confirmation_limit(const Projections& scan, double axis);

// How far the tilt [rad] of a scan's absorption in a parallel beam may be off: lines across the learned axis, in the
// upper and in the lower part of the detector, must have one axis. The difference where it exceeds three sigmas of
// opposite views; at least a pixel over that distance where they show motion or wrong angles, an eighth of the width
// where the object leaves the rows and they decide nothing. 0 where nothing speaks against it.
double tilt_displacement(const Projections& scan, double axis, double tilt);

// Why no upright or tilted axis across the beam describes a scan's absorption in a parallel beam, where opposite views
// show that the axis leans along the beam, which a learned axis and tilt do not contain. Empty where they do not.
std::string axis_lean_warning(const Projections& scan, double axis, double tilt);

inline constexpr int64_t trait_rows = 3;  // in the middle of the detector: enough to show whether the object leaves
// Does the object reach an end of the detector's rows, more than noise explains?
bool object_leaves_rows(const Projections& scan);

}  // namespace tl::learn
