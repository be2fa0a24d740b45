// Rotation axis by Vo's method.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct VoParams {
  AxisSearch search;
  double fine_step = 0.25;  // step of the finest search, before the parabola [px]
  double ratio = 0.5;       // size of the object as a fraction of the width; determines the slope of the mask
  int64_t drop = 20;        // angular modes around zero that are excluded
};

// Vo et al., "Reliable method for calculating the center of rotation in parallel-beam tomography", Optics Express 22
// (2014) 19078: for the right candidate, the half turn stacked with its mirror image about the candidate has the
// smallest mean spectral amplitude outside a double wedge (their eq. 3). Columns that the mirror image does not cover
// are filled from the sinogram with its views reversed. A coarse search on at most 128 binned columns is followed by
// finer ones on all columns and a parabola through the lowest points; in these the stack is smoothed by one px along
// view and column against noise. Curve: the coarse scores, relative to their mean. Uncertainty: the scatter over
// interleaved subsets of the views, and over the rows, times a factor calibrated on phantoms, and 0.05 px of the
// method.
AxisResult axis_vo(const at::Tensor& projections, const std::vector<double>& angles, const VoParams& params = {});

}  // namespace tl::ops
