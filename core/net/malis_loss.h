// MALIS of a network's map: a segmentation loss whose errors are objects that are joined or split.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/net/network.h"

namespace tl::net {

// The map of a network's last layer [n, class, (z,) y, x], and int64 labels [n, (z,) y, x] of classes, negative where
// unknown. Class 0 is the space between objects; an object is a connected component (by faces) of one of the other
// classes. The probability to be inside one is 1 - that of class 0; then gpu/segmentation/malis.h. The mean over the
// batch; differentiable. Throws Failure: invalid as malis_loss().
at::Tensor malis_loss_of(const Network& network, const at::Tensor& map, const at::Tensor& labels);

// The loss of one image or volume, from the probability to be inside an object, [(z,) y, x]. Pixels have no neighbours
// along an axis of length one.
at::Tensor malis_loss_of(const at::Tensor& inside, const at::Tensor& classes);

}  // namespace tl::net
