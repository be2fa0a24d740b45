// Rotation axis of a half-acquisition scan (full turn, axis near the detector's edge) by overlapping opposite views.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// Side of the detector on which the axis is searched.
enum class OverlapSide { either, left, right };

struct OverlapParams {
  OverlapSide side = OverlapSide::either;
  int64_t least_overlap = 0;  // [px] smallest number of common columns; 0 = a twentieth of the width, at least 10
  double rival_share = 0.9;   // see AxisSearch
  AxisChecking checking = AxisChecking::on;
  CancelToken cancel;
};

struct OverlapResult : AxisResult {
  double overlap = 0;                      // [px] number of columns common to opposite views
  OverlapSide side = OverlapSide::either;  // side of the detector on which the axis lies
};

// View t and the mirrored view t + pi contain the same rays: p(t, s) = p(t + pi, 2 a - s), in px from the detector
// centre, with the axis at a, on w - 2 |a| columns. The score is 1 minus their correlation there (normalized for mean
// and amplitude, all views together), as in Vo et al., "Data processing methods and data acquisition for samples larger
// than the field of view in parallel-beam tomography", Opt. Express 29, 17849 (2021). All positions are scored by one
// Fourier transform, then refined by Fourier interpolation to a sixteenth of a pixel. Uncertainty: scatter of
// interleaved quarters of the views, and of the rows. Uses the same projections as the other finders, which must cover
// a full turn.
OverlapResult axis_overlap(const at::Tensor& projections, const std::vector<double>& angles,
                           const OverlapParams& params = {});

}  // namespace tl::ops
