// Angular quadrature weights: how much angle each view of a scan stands for.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl::ops {

// by_rays: the circle closes where the same rays come again, and weights divide by how often a complete scan sees each.
// whole: the circle is the full turn of the gantry, and a weight is just the angle that the view stands for.
enum class Turn { by_rays, whole };

struct ViewWeights {
  std::vector<double> weights;  // [rad], one per view, in the order of the scan
  double covered = 0;           // [rad] angle that the views stand for, at most `period`
  double period = 0;            // [rad] angle of a complete scan: pi (parallel) or 2 pi (cone, tilted axis)
  int missing = 0;              // gaps that are missing data
  double begin = 0;             // [rad] where the covered angle begins; with one missing gap
  double step = 0;              // [rad] typical gap
  [[nodiscard]] bool complete() const { return covered > period * (1 - 1e-9); }
};

// Weights w_i for f = sum_i w_i * (filtered view i, back-projected), for any order and spacing of the angles, several
// turns and repeated angles included. The gantry angle t of each view (of the ray direction in a parallel beam, of the
// source in a cone beam) is folded into the period P: P = pi in a parallel beam that meets the axis at a right angle
// (t and t + pi measure the same rays), otherwise P = 2 pi and each ray is seen twice. Views closer than a thousandth
// of P/n share one angle. On the sorted circle of distinct angles
//   w_i = (gap before + gap after) / 2 * (pi / P) * sin(a) / (views at this angle),     a = angle between ray and axis,
// (trapezoid rule; sin(a) is the Jacobian of a laminography scan, 1 otherwise), so that a complete scan has sum w = pi.
// A gap of more than ten typical gaps (three, for the whole turn) is missing data, not a large step: it is left out,
// and the views beside it stand for as much on that side as on the other (a limited-angle scan of n equal steps d then
// gives d each). `covered` and complete() tell. Errors: invalid where the rays run along z, the rotation axis.
Result<ViewWeights> view_weights(const ScanGeometry& geometry, Turn turn = Turn::by_rays);

}  // namespace tl::ops
