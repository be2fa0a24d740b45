// Rotation axis of a cone or fan beam from opposite rays of a full turn.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct ConjugateRaysParams {
  AxisSearch search;
  // Detector pitch over source-to-detector distance: the fan angle of one column near the axis [rad].
  double fan_per_column = 0;
};

// Uses projections [view, row, col] of rows at the height of the source, with a gantry angle [rad] per view over a full
// turn. The ray at fan angle g = atan((u - axis) fan_per_column) in the view at angle t is measured in the opposite
// direction in the view at t + pi - 2 g at angle -g: p(t, g) = p(t + pi - 2 g, -g), for every object, also with beam
// hardening or truncation (Hsieh, "Computed tomography", SPIE 2009, section 3.4.2). The score is the squared difference
// divided by the energy of both: 0 = consistent, 1 = unrelated. Views and columns are shifted by Fourier series, which
// changes neither noise nor sharpness between pixels, so that the score has no preferred positions. The uncertainty
// combines the scatter of the optimum over blocks of views (a linearized jackknife) and the noise common to all views,
// as from flats; or the scatter of the rows if larger; and 0.02 px for the sampling. Failure{invalid} in addition to
// those of every finder: less than a full turn.
AxisResult axis_conjugate_rays(const at::Tensor& projections, const std::vector<double>& angles,
                               const ConjugateRaysParams& params);

// Shift of an axis [px] suggested by opposite rays, computed on at most 128 binned columns: the minimum of a parabola
// through the scores at and next to the axis, 0 below a hundredth of the width. For a quick check, not for a
// measurement.
double axis_shift_by_opposite_rays(const at::Tensor& projections, const std::vector<double>& angles, double axis,
                                   double fan_per_column);

}  // namespace tl::ops
