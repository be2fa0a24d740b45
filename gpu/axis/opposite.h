// Rotation axis of a parallel beam from opposite views, compared on their common columns: valid for objects that leave
// the field, over half or full turns; distinguishes wrong angles and motion from a wrong axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/axis/sinogram.h"

namespace tl::ops {

struct OppositeViews {
  bool found = false;           // axis and sigma are valid
  bool rivalled = false;        // clear, but at another position the agreement is about as good
  bool contradicted = false;    // data and angles are inconsistent: wrong angles, motion
  std::optional<double> rival;  // another possible position [px]
  double axis = 0, sigma = 0;   // [px from the detector centre]
  double angle_sigma = 0;       // part of sigma due to errors of the angles, drift, and unexplained differences [px]
  double overlap = 0;           // columns that opposite views share
  double significance = 0;      // sigmas by which the agreement exceeds chance
  double range_error = 0;       // half a turn: true range minus the range of the angles [rad]
  double range_sigma = 0;       // one sigma of range_error; 0 for a full turn
  double disagreement = 0;      // full turn: amplitude of a sinusoid caused by motion or wrong angles [px]
  std::string reason;           // why nothing was found, in a sentence
  std::vector<double> candidates, mismatch;  // [px], 1 minus the correlation: evidence
};

// The view at angle t equals the mirror image, about the axis, of the view at t + pi, truncated or not. A full turn has
// such pairs at all angles. Half a turn has them only at its seam: its first views and the mirror images of its last
// ones must continue each other. There, both sides are extrapolated linearly in the angle to the middle of the seam.
// The same operation between neighbouring views elsewhere in the scan, where nothing is mirrored, measures the effect
// of noise, coarse angular steps and changing objects; sigma and the agreement are relative to it. The shift and the
// error of the angular range are fitted together. Over a full turn, 1, cos t and sin t are fitted to the shifts of the
// pairs: motion and wrong angles cause the last two. Views are compared as derivatives along the columns, smoothed by
// the Gaussian of 1, 2, 4 or 8 px that gives the smallest sigma, after removing stripes of the mean over the views. The
// axis is searched among positions where noise, sampling and rounding of the counts explain the differences of opposite
// views; if there are none, the views contradict each other. `s` must keep its background.
OppositeViews opposite_views(const AxisSinograms& s, const CancelToken& cancel = {});

}  // namespace tl::ops
