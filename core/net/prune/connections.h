// Which channels still carry something from the input of a network to its output when only some edges are kept.
#pragma once

#include "core/net/prune/edges.h"

namespace tl::net {

struct Connections {
  // By layer and channel: a path along kept edges leads from the input to it, and on to the output. Channels of the
  // last layer with filters always count, because they have their biases.
  std::vector<std::vector<uint8_t>> alive;
  EdgeMatrices edges;  // kept, and between channels that are alive; the others are redundant
};

// `kept` of every layer that filter_layers() names.
Connections connections(const Network& network, const EdgeMatrices& kept);

// The same graph in which all edges but those are zero, and so is every channel that is not alive: its bias, or scale
// and shift of its batch norm, too.
Network with_zeros(const Network& network, const Connections& connections);

}  // namespace tl::net
