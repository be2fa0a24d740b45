// Registration of measured views to predicted ones: small changes of each view by itself, to a fraction of a pixel.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/cancel.h"
#include "gpu/alignment/views/view_change.h"

namespace tl::ops {

struct ViewRegistrationTask {
  at::Tensor measured, predicted;   // [view, row, col], float32 or float64, on the CPU, finite
  at::Tensor weights;               // the same shape, 0 = left out; undefined = all pixels count
  at::Tensor angle_slope;           // derivative of `predicted` to the angle [1/rad]; for ViewChange::angle
  std::vector<ViewChange> changes;  // what is looked for, at most five
  double aspect = 1;                // height of a pixel over its width
  CancelToken cancel;
};

struct ViewRegistration {
  // By view and kind: the change after which the prediction is nearest to the view, to first order [px of these
  // images, rad, share]; 0 where the view does not show it, as one of equal pixels.
  std::vector<double> change;
  // One sigma of each, from the scatter of the differences; infinite where the view does not show it.
  std::vector<double> sigma;
  std::vector<double> error;  // by view: root mean square of the differences before the change; 0 without pixels
};

// One Gauss-Newton step per view. Both images are smoothed by (1 2 1) / 4 along rows and columns; the slopes are those
// of the prediction (central differences); differences beyond 2.5 times their usual size (median) are weighted down
// (Huber). Sums in double, by view: the same on any number of threads. sigma counts in that smoothing correlates
// neighbouring pixels. Throws Failure{invalid} for shapes and types.
ViewRegistration register_views(const ViewRegistrationTask& task);

}  // namespace tl::ops
