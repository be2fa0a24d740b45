// Rotation axis by Vo's method.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct VoParams {
  AxisSearch search;
  double fine_step = 0.25;  // step of the last search, before the parabola [px]
  double ratio = 0.5;       // size of the object as a share of the width; sets the slope of the mask
  int64_t drop = 20;        // angular modes around zero that are left out
};

// Vo et al., "Reliable method for calculating the center of rotation in parallel-beam tomography", Optics Express 22
// (2014) 19078: the half turn and its mirror image about the candidate, stacked, have least mean spectral amplitude
// outside a double wedge (their eq. 3) when the candidate is the axis. Columns that the mirror image does not reach are
// filled from the sinogram with its views reversed. A coarse search on columns joined to at most 128 is followed by
// finer ones on all columns and a parabola through the lowest points; there the stack is smoothed by one px along view
// and column against noise. Evidence: the coarse scores, relative to their mean. Uncertainty: the scatter of the
// results of interleaved subsets of the views, and of the rows, times what phantoms say it lacks, and 0.05 px of the
// method.
AxisResult axis_vo(const at::Tensor& projections, const std::vector<double>& angles, const VoParams& params = {});

}  // namespace tl::ops
