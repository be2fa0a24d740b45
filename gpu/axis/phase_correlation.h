// Rotation axis from views half a turn apart, by phase correlation.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct PhaseCorrelationParams {
  AxisSearch search;
  int64_t pairs = 24;   // at most so many pairs of views, the most nearly opposite ones
  double cutoff = 0.1;  // width of the Gaussian low pass on the correlation [cycles per px]
};

// A view and the one half a turn later are mirror images about the axis; the phase of their cross spectrum (Kuglin and
// Hines, 1975) gives it. Pairs that miss the half turn by d see a point (x, y) of the object move by
// (x (cos t - cos(t + d)) + y (sin t - sin(t + d))) / 2: axis and the object's mean position are fitted together, which
// serves scans that stop one step before 180 degrees. Evidence: minus the mean correlation of the pairs, -1 = perfect.
// Uncertainty: covariance of the fit scaled with its residuals, the scatter of the rows, and 0.03 px of the method.
// Failure{invalid} when no two views are opposite to within four angular steps.
AxisResult axis_phase_correlation(const at::Tensor& projections, const std::vector<double>& angles,
                                  const PhaseCorrelationParams& params = {});

}  // namespace tl::ops
