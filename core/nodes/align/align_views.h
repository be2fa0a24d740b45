// Alignment of the views of a scan to what the other views predict of them, from coarse to fine pixels.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/node/node_run.h"
#include "gpu/alignment/views/view_change.h"

namespace tl {

struct AlignViewsSpec {
  std::vector<ops::ViewChange> kinds;
  int64_t coarsest = 8, finest = 1;  // pixels binned together along an axis, powers of two
  int64_t iterations = 12;           // at each size of pixels, at most
  double reach = 0;                  // [natural steps]: no change beyond it
  double smoothing = 0;              // [views], see ops::smooth_over_views(); 0 = every view by itself
};

struct AlignedViews {
  ops::ViewChanges changes;   // without what a motion of the object gives as well
  std::vector<double> sigma;  // of each change, one sigma [its unit]; infinite where its view does not show it
  std::vector<double> error_before, error_after;  // by view: rms differences from the prediction at the finest pixels
  bool at_reach = false;                          // some change ended there
};

// Repeats: reconstruct without a quarter of the views, predict these, register them (ops::register_views), change the
// geometry; from binned pixels to single ones, until less than 0.002 pixels remain to be done. sigma: of the
// last registration, and in addition 1.5 times (shift_u: 3 times) the rms difference from what pixels four times as
// large gave. `scan`: finite line integrals of a whole scan; `present`: 1 where they count, or undefined. Reports
// metrics "step" [px] and "error", and progress. Errors: those of the filter; throws Failure{cancelled}.
Result<AlignedViews> align_views(const Projections& scan, const at::Tensor& present, const AlignViewsSpec& spec,
                                 NodeRun& r);

}  // namespace tl
