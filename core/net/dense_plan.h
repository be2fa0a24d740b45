// DenseBlock: a run of layers that read the maps of earlier ones, and the positions of these maps in memory.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "core/net/network.h"

namespace tl::net {

// A convolution with its rectifier, and the padded maps that it reads and writes.
struct DensePair {
  std::vector<int64_t> inputs;
  int64_t output = 0, channels = 1, dilation = 1;
  std::size_t weight = 0, bias = 0;  // indices of tensors
  int64_t bias_offset = 0;
  bool has_bias = false;
};

// The layer of 1 x 1 convolutions after a block.
struct PixelLayer {
  std::vector<int64_t> inputs;  // padded maps
  int64_t channels = 1;
  at::Tensor weight, bias;  // float64: [channel, input]; [channel]
};

// A block as a function of the maps before it and the tensors, in that order.
struct DenseBlock {
  std::vector<DensePair> pairs;
  std::vector<int64_t> before;        // layers whose maps it reads
  std::vector<int64_t> before_place;  // their first padded map
  std::vector<int64_t> before_channels;
  std::vector<std::string> tensors;
  // Pairs that are computed together, by the end of each group: if pairs read many maps, these are loaded from memory
  // only once per group.
  std::vector<std::size_t> groups;
  int64_t count = 0, border = 1;
};

// Whether the pair (convolution, rectifier) that begins at layer `i` could be part of a block; `readers`: number of
// layers that read each layer.
bool is_dense_pair(const Network& network, std::size_t i, const std::vector<int64_t>& readers);

// The longest block that begins at layer `first`; `maps` holds the maps before it. Without pairs if there is
// none.
DenseBlock block_at(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                    const std::vector<at::Tensor>& maps);

// The layer `end` directly after the block that begins at `first`, if it consists of 1 x 1 convolutions, and only it
// and the block itself read the block's maps.
std::optional<PixelLayer> pixel_layer_after(const Network& network, const DenseBlock& block, std::size_t first,
                                            std::size_t end, const std::vector<int64_t>& readers);

// Which maps the 1 x 1 layer reads after each group: several at a time, before they leave the cache.
std::vector<std::vector<int64_t>> maps_read_by_group(const DenseBlock& block, const PixelLayer& pixels);

// The slot of the buffer that holds each map: the slot of a map that is no longer read is reused by a later one.
struct BufferSlots {
  std::vector<int64_t> slot_of_map;
  int64_t count = 0;
};
BufferSlots slots_for(const DenseBlock& block, const std::vector<std::vector<int64_t>>& pixels_after);

}  // namespace tl::net
