// Rotation axis by the method that suits the data, with the votes of the others.
#pragma once

#include <string>
#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct AutomaticAxisParams {
  AxisSearch search;          // reach 0 = the whole detector
  double fan_per_column = 0;  // of a cone beam, see axis_conjugate_rays.h [rad]; 0 = parallel
};

struct AxisVote {
  std::string method;
  double axis = 0, sigma = 0;  // [px]
  bool agrees = false;         // with the result, within three sigmas of both or half a pixel
};

struct AutomaticAxis {
  AxisResult found;
  std::vector<AxisVote> votes;  // of the methods whose assumptions hold
};

// A cone beam: opposite rays of a full turn. A parallel beam: opposite views, which hold for every object (see
// axis_opposite.h), beside the Fourier wedge and the centres of mass where the rows end in air. Resolved where one of
// the first, or both of the others, are clear and none contradicts; sigma holds what they differ by. Otherwise the best
// guess with the reason why it is not trusted.
AutomaticAxis axis_automatic(const at::Tensor& projections, const std::vector<double>& angles,
                             const AutomaticAxisParams& params = {});

}  // namespace tl::ops
