// Angular quadrature weights: the angle that each view of a scan represents.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl::ops {

// by_rays: angles are folded into the period after which the same rays repeat; weights are divided by how often a
//   complete scan measures each ray.
// whole: the period is the full turn of the gantry, and a weight is the angle that the view represents. The largest
//   gap, if it exceeds three typical gaps, lies between the end and the begin of the scan and no view represents it.
// closed: like whole, but the scan covers the full turn: every large gap is missing data, none is the end of the scan.
enum class Turn { by_rays, whole, closed };

struct ViewWeights {
  // Missing views between two measured ones.
  struct Gap {
    double angle = 0;               // [rad] between the neighbouring views
    int64_t before = 0, after = 0;  // views of the scan
  };
  std::vector<double> weights;  // [rad], one per view, in the order of the scan
  double covered = 0;           // [rad] angle that was measured, at most `period`
  double filled = 0;            // [rad] angle of missing data assigned to neighbouring views
  double period = 0;            // [rad] angle of a complete scan: pi (parallel) or 2 pi (cone, tilted axis)
  std::vector<Gap> gaps;        // missing data assigned to neighbouring views, the largest first
  int missing = 0;              // gaps assigned to no view: 0 or 1
  double begin = 0;             // [rad] begin of the measured angle; with one missing gap
  double step = 0;              // [rad] typical gap
  [[nodiscard]] bool complete() const { return covered > period * (1 - 1e-9); }
  // The angle from the begin of the scan to its end [rad].
  [[nodiscard]] double range() const { return covered + filled; }
};

// Weights w_i for f = sum_i w_i * (filtered view i, back-projected), for any order and spacing of the angles, including
// several turns and repeated angles. The gantry angle t of each view (of the ray direction in a parallel beam, of the
// source in a cone beam) is folded into the period P: P = pi in a parallel beam perpendicular to the axis (t and t + pi
// measure the same rays), otherwise P = 2 pi, with rays measured twice. Views closer than a thousandth of P/n share one
// angle. On the sorted circle of distinct angles
//   w_i = (gap before + gap after) / 2 * (pi / P) * sin(a) / (views at this angle),     a = angle between ray and axis,
// (trapezoid rule; sin(a) is the Jacobian of a laminography scan, 1 otherwise), so that a complete scan has sum w = pi.
//
// A gap of more than ten typical gaps is missing data. Half of its angle is assigned to the views on either side, to
// those within half a gap of it, with linearly decreasing weight: sum w stays pi, so that the mean of an object and the
// interior of a round one keep their values; details along the missing directions are lost. Compared with assigning all
// of it to the two neighbouring views or spreading it over all views (200 views minus 10 to 100), no alternative has a
// smaller error inside the object at all sizes, and noise grows by 5 % at 10 views of 200 instead of 14 %, 11 % at 20
// instead of
// 45 %. Errors: invalid if rays run along z, the rotation axis.
Result<ViewWeights> view_weights(const ScanGeometry& geometry, Turn turn = Turn::by_rays);

}  // namespace tl::ops
