// Rotation axis from the centres of mass of the views.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct MomentParams {
  AxisSearch search;
  double mass_tolerance = 0.05;  // largest relative rms change of the mass over the views for a resolved result
};

struct MomentResult {
  AxisResult found;
  double residual = 0;            // rms deviation of the centres from the sinusoid [px]
  bool mass_is_constant = false;  // over the views, apart from noise
  // Effect of motion and wrong angles: a sinusoid that grows with the angle, fitted in addition; F of its two
  // parameters, and the shift of the axis that it causes [px].
  double growth = 0, growth_shift = 0;
};

// F above which sigma includes that shift. By chance that happens in a few of 100 scans, and then makes sigma too
// large.
inline constexpr double possible_growth = 5;

// In a parallel beam with the whole object inside the field, the centre of mass of view t is a + x cos t + y
// sin t (first Helgason-Ludwig condition): a linear least-squares fit, for any angles that distinguish 1, cos
// t and sin t. The curve is the rms residual [px] with the axis fixed at the candidate. Uncertainty:
// covariance of the fit scaled by the residuals, noise common to all views (from flats), the scatter of the
// rows, and an apparent motion of the centres. Verdicts: railed if the axis lies outside the search range;
// ambiguous if the mass changes from view to view (the object leaves the field) or the angles are too few to
// decide.
MomentResult axis_moments(const at::Tensor& projections, const std::vector<double>& angles,
                          const MomentParams& params = {});

}  // namespace tl::ops
