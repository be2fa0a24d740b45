// Which channels still connect the input of a network to its output if only some edges are kept.
#pragma once

#include "core/net/prune/edges.h"

namespace tl::net {

struct Connections {
  // By layer and channel: whether kept edges connect the input to it, and it to the output. Channels of the last layer
  // with filters always count, because of their biases.
  std::vector<std::vector<uint8_t>> alive;
  EdgeMatrices edges;  // kept edges between channels that are alive; all others are redundant
};

// `kept`: a matrix for every layer in filter_layers().
Connections connections(const Network& network, const EdgeMatrices& kept);

// The same graph with all other edges set to zero, and all channels that are not alive too: their bias, or scale and
// shift of their batch norm.
Network with_zeros(const Network& network, const Connections& connections);

}  // namespace tl::net
