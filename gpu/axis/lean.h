// Lean of the rotation axis along the beam, and the remaining tilt in the plane of the detector: from opposite views of
// a parallel beam, compared as images.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct AxisLean {
  bool known = false;
  double lean = 0, lean_sigma = 0;  // [rad], positive as `Orbit::lamino`
  double tilt = 0, tilt_sigma = 0;  // [rad] beyond the tilt for which lines were cut; the axis' top leans to +u
  // The lean is clear of noise and larger than half a degree: a model without it does not describe the scan.
  [[nodiscard]] bool leans() const;
};

// The lines of a scan across its supposed rotation axis: absorption [view, line, col] in a parallel beam, `spacing` px
// apart and the upper ones first, all with the axis at `axis` px from the middle column.
struct LinesAcrossAxis {
  at::Tensor data;
  std::vector<double> angles;  // [rad], in any order
  double axis = 0, spacing = 1;
};

// About an axis perpendicular to the beam, the view at t + pi is the mirror image of that at t. About an axis that
// leans by a small angle b along the beam, a point at depth d behind the axis appears b d lower in one view and b d
// higher in the other: the views differ by 2 b dD/dv, where D is the integral of d times the attenuation along the ray.
// D needs no reconstruction: its slope along the columns is minus the change of the view with the angle. Position,
// tilt, error of the angular range (half turns) and lean are fitted together to the slopes of opposite views along the
// columns, which is also valid for objects that leave the field. One sigma: the scatter of blocks of pairs (full
// turns), or that of the same fit between neighbouring views elsewhere in the scan (half turns). Not known: no opposite
// views, fewer than 8 lines, only noise.
AxisLean axis_lean(const LinesAcrossAxis& lines, const CancelToken& cancel = {});

}  // namespace tl::ops
