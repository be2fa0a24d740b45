// Automatic choice of the method for the rotation axis, with the results of other methods as votes.
#pragma once

#include <string>
#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// Stripes in the rows: corrected, see rows_without_rings(), or left to the caller.
enum class AxisStripes { corrected, left };

struct AutomaticAxisParams {
  AxisSearch search;          // reach 0 = the whole detector
  double fan_per_column = 0;  // cone beam: see conjugate_rays.h [rad]; 0 = parallel
  AxisStripes stripes = AxisStripes::corrected;
};

struct AxisVote {
  std::string method;
  double axis = 0, sigma = 0;  // [px]
  bool agrees = false;         // with the result, to three sigmas of both or half a pixel
};

struct AutomaticAxis {
  AxisResult found;
  std::vector<AxisVote> votes;  // of all methods whose assumptions are fulfilled
};

// Cone beam: opposite rays of a full turn. Parallel beam: opposite views, which are valid for every object (see
// opposite.h); if the rows end in air, also the Fourier wedge and the centres of mass. Resolved if opposite views, or
// both of the others, give a clear result and no method contradicts; sigma then includes their differences. Otherwise
// the best guess, with the reason why it is not resolved.
AutomaticAxis axis_automatic(const at::Tensor& projections, const std::vector<double>& angles,
                             const AutomaticAxisParams& params = {});

}  // namespace tl::ops
