// Rotation axis from the centres of mass of the views.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct MomentParams {
  AxisSearch search;
  double mass_tolerance = 0.05;  // relative rms change of the mass from view to view above which nothing is trusted
};

struct MomentResult {
  AxisResult found;
  double residual = 0;            // rms distance of the centres from the sinusoid [px]
  bool mass_is_constant = false;  // from view to view, but for noise
  // What motion and wrong angles leave beside the sinusoid, one that grows with the angle: F of its two parameters, and
  // what it would move the axis by [px].
  double growth = 0, growth_shift = 0;
};

// In a parallel beam with the whole object inside the field, the centre of mass of view t is a + x cos t + y sin t
// (first Helgason-Ludwig condition): a linear least-squares fit, from any angles that tell 1, cos t and sin t apart.
// The evidence curve is the rms residual [px] when the axis is held at the candidate. Uncertainty: covariance of the
// fit scaled with the residuals, noise that all views share (that of flats), and the scatter of the rows. Verdicts:
// railed when the axis lies outside the search range; ambiguous when the mass changes from view to view (the object
// leaves the field) or the angles are too few to tell.
MomentResult axis_moments(const at::Tensor& projections, const std::vector<double>& angles,
                          const MomentParams& params = {});

}  // namespace tl::ops
