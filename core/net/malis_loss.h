// MALIS of a network's map: the loss of segmentation whose errors are objects that are joined or broken.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/net/network.h"

namespace tl::net {

// The map of a network's last layer [n, class, (z,) y, x], and int64 labels [n, (z,) y, x] of classes, negative where
// unknown. Class 0 lies between objects; an object is a connected part of one of the other classes, pixels that
// share a face. The probability to lie within one is 1 - that of class 0; then gpu/segmentation/malis.h. The mean over
// the batch; differentiable. Throws Failure: invalid as malis_loss().
at::Tensor malis_loss_of(const Network& network, const at::Tensor& map, const at::Tensor& labels);

// The same of one image or volume, from the probability to lie within an object, [(z,) y, x]. An axis of one pixel
// has no neighbours.
at::Tensor malis_loss_of(const at::Tensor& inside, const at::Tensor& classes);

}  // namespace tl::net
