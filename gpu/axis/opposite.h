// Rotation axis of a parallel beam from opposite views, on the columns that both see: holds for objects that leave the
// field, over half a turn and a full one, and tells wrong angles and motion from a wrong axis.
#pragma once

#include <string>
#include <vector>

#include "gpu/axis/sinogram.h"

namespace tl::ops {

struct OppositeViews {
  bool found = false;          // axis and sigma hold
  bool rivalled = false;       // clear, but another place agrees about as well
  bool contradicted = false;   // the data are not what they say: wrong angles, motion
  double axis = 0, sigma = 0;  // [px from the detector centre]
  double angle_sigma = 0;      // the part of sigma by which unknown errors of the angles, or drift, move the axis [px]
  double overlap = 0;          // columns that opposite views share
  double clearness = 0;        // sigmas by which the agreement exceeds chance
  double range_error = 0;      // half a turn: what the views cover more than the angles say [rad]
  double range_sigma = 0;      // its sigma; 0 for a full turn
  double disagreement = 0;     // full turn: amplitude of a sinusoid that motion or wrong angles make [px]
  std::string reason;          // why nothing was found, in a sentence
  std::vector<double> candidates, mismatch;  // [px], 1 minus the correlation: evidence
};

// A view at the angle t and the mirror image about the axis of the one at t + pi are the same, truncated or not. A full
// turn has such pairs everywhere. Half a turn has one place only, its seam: its first views and the mirror images of
// its last ones must continue each other. There both sides are continued by straight lines in the angle to the middle
// of the seam; the same operation between neighbouring views elsewhere in the scan, where nothing is mirrored, shows
// what noise, coarse angular steps and restless objects do to it, and that is what sigma and the agreement are measured
// against. The shift and the error of the angular range are fitted together. Over a full turn the shifts of the pairs
// are fitted by 1, cos t and sin t: motion and wrong angles make the last two. Views are compared as derivatives along
// the columns, smoothed by the Gaussian of 1, 2, 4 or 8 px that gives the smallest sigma; what the mean over the views
// holds of stripes is taken off before. `s` keeps its background.
OppositeViews opposite_views(const AxisSinograms& s, const CancelToken& cancel = {});

}  // namespace tl::ops
