// Angular range of a parallel-beam scan from the moments of its views.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct AngularRange {
  bool known = false;
  double scale = 1, sigma = 0;  // fitted angular range relative to the given one
  double significance = 0;      // improvement over the given angles, in sigmas
};

// The central moment of order n of the views, as a function of the angle, is a sum of harmonics n, n - 2, ... (the
// Helgason-Ludwig conditions), for any object and any axis. Scaled angles violate that, most clearly if half a turn
// does not end where it should. Orders 2 to 4 of all rows are fitted together for ranges within 10 % of that of the
// angles, after subtracting the level of the air from every view: a decaying beam would look like other angles. The
// noise is estimated from differences of neighbouring views; a residual that is smooth in the angle, as caused by beam
// hardening, is divided by the number of correlated views. Not known: the mass changes from view to view, or the best
// range is at the end of the tried ones. `projections` [view, row, col] is absorption that ends in air on both sides.
// Cost: a few hundred fits of five parameters to every row.
AngularRange angular_range_by_moments(const at::Tensor& projections, const std::vector<double>& angles,
                                      const CancelToken& cancel = {});

}  // namespace tl::ops
