// Rotation axis from opposite views by phase correlation.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct PhaseCorrelationParams {
  AxisSearch search;
  int64_t pairs = 24;   // largest number of view pairs, the most nearly opposite ones
  double cutoff = 0.1;  // width of the Gaussian low-pass on the correlation [cycles per px]
};

// Opposite views are mirror images about the axis, which follows from the phase of their cross spectrum (Kuglin and
// Hines, 1975). In pairs that miss the half turn by d, a point (x, y) of the object moves by (x (cos t - cos(t + d)) +
// y (sin t - sin(t + d))) / 2: axis and the object's mean position are fitted together, so that scans ending one step
// before 180 degrees can be used. Curve: negative mean correlation of the pairs, -1 = perfect. Uncertainty: covariance
// of the fit scaled by its residuals, the scatter of the rows, and 0.03 px of the method. Failure{invalid} if no two
// views are opposite to within four angular steps.
AxisResult axis_phase_correlation(const at::Tensor& projections, const std::vector<double>& angles,
                                  const PhaseCorrelationParams& params = {});

}  // namespace tl::ops
