// Rays that a scan measures once, twice or with a detector beside the axis: weights that count every ray once.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl::ops {

// none: every view has the weight of its angle (view_weights.h); right for complete scans with a centred detector.
// parker: smooth weights for half a turn and more (D. L. Parker, Med. Phys. 9, 254 (1982)), with the fan angle replaced
//   by the overscan, Gamma = (range - pi) / 2, so that any range up to a full turn is used whole.
// smooth: each end of the range fades over ten degrees, and rays measured twice share by how much each end has faded
//   (F. Noo et al., Phys. Med. Biol. 47, 2525 (2002)): any range, limited-angle scans included; those of less than half
//   a turn are scaled so that the rays through the axis weigh as much as those of half a turn.
// displaced: a full turn (gaps of up to 60 degrees included) with the detector set to one side, the rays near the axis
// seen twice (G. Wang, Med. Phys. 29,
//   1634 (2002)); in a parallel beam the half-acquisition scan.
enum class Redundancy { none, parker, smooth, displaced };

// What suits a scan, from its geometry alone, and why, in words for a message.
struct RedundancyAdvice {
  Redundancy kind = Redundancy::none;
  std::string reason;
  bool incomplete = false;  // some rays are missing whatever the weights
};
Result<RedundancyAdvice> advise_redundancy(const ScanGeometry& geometry);

// What of the scan was not measured, for which other views stand with these weights, in words; empty where nothing was.
std::string describe_gaps(const ScanGeometry& geometry, Redundancy kind);

// May this scan be weighted so? The error says why not. Cheap: a few rays of each view.
Result<void> check_redundancy(const ScanGeometry& geometry, Redundancy kind);

// Columns to be added to both sides of the weighted views before they are ramp-filtered: beside a displaced detector
// the filtered views go on, and voxels there need them. With them the axis lies in the middle.
struct Margins {
  int64_t before = 0, after = 0;
  [[nodiscard]] bool any() const { return before + after > 0; }
};
Result<Margins> redundancy_margins(const ScanGeometry& geometry, Redundancy kind);
// The scan on the wider detector, and learned vectors [view, 12] of it (undefined stays undefined).
ScanGeometry widened(const ScanGeometry& geometry, const Margins& margins);
at::Tensor widened(const at::Tensor& vectors, const Margins& margins);

// Weights [view, 1 or row, col] in float64, the angle of the views included: times the line integrals (and the cosine
// weights of a cone beam), ramp-filtered and back-projected they give the object. `vectors`, if defined, is the [view,
// 12] float64 tensor of a geometry that is being learned; autograd follows it. For parker, smooth and displaced.
// Errors: invalid where the views do not allow the weights (a gap too many, less than half a turn and the fan for
// parker, less than a full turn or no axis on the detector for displaced).
Result<at::Tensor> redundancy_weights(const ScanGeometry& geometry, Redundancy kind, const at::Tensor& vectors = {});

}  // namespace tl::ops
