// What opposite views or rays say about a rotation axis that was learned, whatever the objective.
#pragma once

#include "core/values/values.h"

namespace tl::learn {

// How far the axis of a scan's absorption may be displaced [px]: its distance from the axis of opposite views where
// that exceeds three of their sigmas; at least a pixel where they tell of motion or wrong angles; an eighth of the
// width where the object leaves the rows and opposite views do not tell. A cone beam of a full turn: how far opposite
// rays pull the axis, from a hundredth of the width on. 0 where nothing speaks against it.
double axis_displacement(const Projections& scan, double axis);

}  // namespace tl::learn
