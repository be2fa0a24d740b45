// Rotation axis of a full turn with the axis near the edge of the detector (half acquisition), by the overlap of
// opposite views.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// Where the axis is looked for.
enum class OverlapSide { either, left, right };

struct OverlapParams {
  OverlapSide side = OverlapSide::either;
  int64_t least_overlap = 0;  // [px] fewer shared columns do not count; 0 = a twentieth of the width, at least 10
  double rival_share = 0.9;   // see AxisSearch
  AxisChecking checking = AxisChecking::made;
  CancelToken cancel;
};

struct OverlapResult : AxisResult {
  double overlap = 0;                      // [px] columns that opposite views share
  OverlapSide side = OverlapSide::either;  // of the detector on which the axis lies
};

// A view t and the mirror image of the view t + 180 degrees show the same rays where p(t, s) = p(t + pi, 2 a - s) in px
// from the detector centre, a the axis: over w - 2 |a| columns. The score is 1 minus their correlation there (mean and
// size of both taken out, all views together), as in Vo et al., "Data processing methods and data acquisition for
// samples larger than the field of view in parallel-beam tomography", Opt. Express 29, 17849 (2021). All positions are
// scored by one Fourier transform, then Fourier-interpolated to a sixteenth of a pixel. Uncertainty: interleaved
// quarters of the views, and the scatter of the rows. Takes the same projections as the other finders, which must cover
// a full turn.
OverlapResult axis_overlap(const at::Tensor& projections, const std::vector<double>& angles,
                           const OverlapParams& params = {});

}  // namespace tl::ops
