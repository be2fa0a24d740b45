// Rotation axis of a cone or fan beam from opposite rays of a full turn.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct ConjugateRaysParams {
  AxisSearch search;
  // Detector pitch over the distance from source to detector: the fan angle of one column near the axis [rad].
  double fan_per_column = 0;
};

// Projections [view, row, col] of rows at the height of the source, gantry angle [rad] per view, a full turn. A ray at
// the fan angle g = atan((u - axis) fan_per_column) in the view at angle t comes back the other way in the view at
// t + pi - 2 g at the angle -g: p(t, g) = p(t + pi - 2 g, -g), for every object, hardened and truncated ones too
// (Hsieh, "Computed tomography", SPIE 2009, section 3.4.2). The score is the squared difference over both energies: 0 =
// consistent, 1 = unrelated. Views and columns are shifted by their Fourier series, which changes neither noise nor
// sharpness between pixels, so the score has no preferred positions. The uncertainty is the scatter that blocks of
// views give to the optimum (a linearised jackknife) with the noise that all views share, as that of flats; or that of
// the rows if larger; and 0.02 px of the sampling.
// Failure{invalid} beyond those of every finder: less than a full turn.
AxisResult axis_conjugate_rays(const at::Tensor& projections, const std::vector<double>& angles,
                               const ConjugateRaysParams& params);

// How far opposite rays would move an axis [px], seen on at most 128 joined columns: the lowest point of a parabola
// through the scores there and beside it, 0 below a hundredth of the width. For a quick look, not for a measurement.
double pull_of_opposite_rays(const at::Tensor& projections, const std::vector<double>& angles, double axis,
                             double fan_per_column);

}  // namespace tl::ops
