// Losses of segmentation: how far scores are from labels. Unlabelled pixels count nowhere.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/net/network.h"

namespace tl::train {

enum class Loss {
  cross_entropy,  // mean over labelled pixels, weighted by class
  dice,           // 1 - mean over the classes that are labelled of 2 |p t| / (|p| + |t|)
  sum,            // of both
  malis,          // for objects separated by the first class (core/net/malis_loss.h); class weights are not used
};

// The map of a network's last layer [n, channel, ...], and int64 labels [n, ...] from -1 (unlabelled); `weights` by
// class, or none. Differentiable; 0 if nothing is labelled. One channel means the second of two classes.
at::Tensor loss_of(Loss loss, const net::Network& network, const at::Tensor& map, const at::Tensor& labels,
                   const at::Tensor& weights = {});

}  // namespace tl::train
