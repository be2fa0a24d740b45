// Angular range of a scan in a parallel beam from the moments of its views.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

struct AngularRange {
  bool known = false;
  double scale = 1, sigma = 0;  // of the views: their range relative to that of the angles
  double significance = 0;      // sigmas by which it explains the views better than the angles do
};

// The central moment of order n of the views, as a function of the angle, is a sum of harmonics n, n - 2, ... (the
// Helgason-Ludwig conditions), whatever the object and wherever the axis. Stretched angles violate that, most of all
// where half a turn does not end as it began. Orders 2 to 4 of all rows are fitted together for ranges 10 % around that
// of the angles, after the level of the air was subtracted from every view: a decaying beam would look like other
// angles. The noise follows from differences of neighbouring views; a residual that is smooth in the angle, as beam
// hardening leaves it, counts as many times less as its views are correlated. Not known: the mass changes from view to
// view, or the best range is none of these. `projections` [view, row, col] is absorption that ends in air on both
// sides. Cost: a few hundred fits of five parameters to every row.
AngularRange angular_range_by_moments(const at::Tensor& projections, const std::vector<double>& angles,
                                      const CancelToken& cancel = {});

}  // namespace tl::ops
