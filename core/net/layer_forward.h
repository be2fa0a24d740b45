// How each kind of layer computes its map: the functions listed in the table of layer kinds.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/net/forward.h"

namespace tl::net {

struct LayerInputs {
  const Network& network;
  const Layer& layer;
  const std::vector<at::Tensor>& maps;  // maps of all earlier layers that are still needed
  at::TensorOptions type;               // of the tensors
  BatchStatistics statistics;
  bool may_overwrite;  // no other layer reads the first map, and no gradient is needed
};

at::Tensor convolved_maps(const LayerInputs& in);
at::Tensor convolved_transposed(const LayerInputs& in);
at::Tensor pooled_maximum(const LayerInputs& in);
at::Tensor pooled_mean(const LayerInputs& in);
at::Tensor normalised(const LayerInputs& in);
at::Tensor rectified(const LayerInputs& in);
at::Tensor concatenated(const LayerInputs& in);
at::Tensor added(const LayerInputs& in);
at::Tensor middle_part(const LayerInputs& in);  // the middle of the first map, as large as the second map
at::Tensor interpolated(const LayerInputs& in);
at::Tensor unchanged_map(const LayerInputs& in);
at::Tensor multiplied(const LayerInputs& in);
at::Tensor softmax_of_channels(const LayerInputs& in);

}  // namespace tl::net
