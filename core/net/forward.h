// The interpreter: computes a network layer by layer.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "core/base/cancel.h"
#include "core/net/network.h"

namespace tl::net {

// Mean and variance for batch norm: the stored ones, or during training those of the batch, by which the stored ones
// are then updated (moving average, weight 0.1).
enum class BatchStatistics { stored, of_batch };

struct ForwardOptions {
  CancelToken cancel;
  BatchStatistics statistics = BatchStatistics::stored;
  // Called after each layer with its index and map.
  std::function<void(std::size_t, const at::Tensor&)> after_layer;
};

// The map of the last layer, [n, channel, (z,) y, x], for an input of that shape in the units of the volume: it is
// scaled first. In the input's type; differentiable with respect to input and tensors. The graph must be valid and its
// tensors complete (network_file.h, initialise()). Throws Failure: cancelled; invalid for a size that the network does
// not accept.
at::Tensor forward(const Network& network, const at::Tensor& input, const ForwardOptions& options = {});

// From a map of scores [n, channel, ...], probabilities of the classes over the channels; one channel gives two, 1 - p
// and p. The output of networks that end in a softmax is returned unchanged.
at::Tensor probabilities(const Network& network, const at::Tensor& map);

// The map extended by `by` pixels on each side of the last `dims` axes, mirrored with the edge repeated.
at::Tensor mirrored(const at::Tensor& map, int64_t dims, int64_t by);

}  // namespace tl::net
