// Redundancy weights: rays measured once, twice or with a displaced detector are weighted so that each counts once.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl::ops {

// none: every view has the weight of its angle (view_weights.h); right for complete scans with a centred detector.
// parker: smooth weights for half a turn and more (D. L. Parker, Med. Phys. 9, 254 (1982)), with the fan angle replaced
//   by the overscan, Gamma = (range - pi) / 2, so that any range up to a full turn is used completely.
// smooth: both ends of the range fade over ten degrees, and rays measured twice share their weight accordingly (F. Noo
//   et al., Phys. Med. Biol. 47, 2525 (2002)). For any range, limited-angle scans included; scans of less than half a
//   turn are scaled so that the rays through the axis weigh as much as those of half a turn.
// displaced: a full turn (gaps of up to 60 degrees allowed) with the detector displaced to one side, so that only rays
//   near the axis are measured twice (G. Wang, Med. Phys. 29, 1634 (2002)); in a parallel beam the half-acquisition
//   scan.
enum class Redundancy { none, parker, smooth, displaced };

// The recommended weights for a scan, from its geometry alone, and the reason as text for a message.
struct RedundancyAdvice {
  Redundancy kind = Redundancy::none;
  std::string reason;
  bool incomplete = false;  // some rays are missing, with any weights
};
Result<RedundancyAdvice> advise_redundancy(const ScanGeometry& geometry);

// Text about angular gaps of the scan whose weight is assigned to neighbouring views; empty if there are none.
std::string describe_gaps(const ScanGeometry& geometry, Redundancy kind);

// Whether these weights can be used for this scan; the error gives the reason if not. Fast: examines a few rays of each
// view.
Result<void> check_redundancy(const ScanGeometry& geometry, Redundancy kind);

// Columns to be added on either side of the weighted views before ramp filtering: beyond a displaced detector the
// filtered views are not zero, and voxels there need them. With these margins the axis is in the middle.
struct DetectorMargins {
  int64_t before = 0, after = 0;
  [[nodiscard]] bool any() const { return before + after > 0; }
};
Result<DetectorMargins> redundancy_margins(const ScanGeometry& geometry, Redundancy kind);
// The scan with the wider detector, and the same for learned vectors [view, 12] (undefined stays undefined).
ScanGeometry with_detector_margins(const ScanGeometry& geometry, const DetectorMargins& margins);
at::Tensor with_detector_margins(const at::Tensor& vectors, const DetectorMargins& margins);

// Weights [view, 1 or row, col] in float64, including the angular weight of each view. Line integrals times these
// weights (and the cosine weights of a cone beam), ramp-filtered and back-projected, give the object. `vectors`, if
// defined, is the [view, 12] float64 tensor of a geometry that is being learned; the weights are differentiable with
// respect to it. For parker, smooth and displaced. Errors: invalid if the views do not allow the weights (parker,
// smooth: not exactly one open gap in the angles; parker: less than half a turn plus the fan; displaced: less than a
// full turn, or no axis on the detector).
Result<at::Tensor> redundancy_weights(const ScanGeometry& geometry, Redundancy kind, const at::Tensor& vectors = {});

}  // namespace tl::ops
