// The smaller network that is left when edges are removed.
#pragma once

#include "core/net/prune/connections.h"

namespace tl::net {

struct SmallerNetwork {
  Network network;
  // Of its layers with filters: the edges that are left. Filter banks are full matrices, so that others may be among
  // them; those are zero.
  EdgeMatrices edges;
  // By name of a layer with filters: which output and input channels of the larger network are left.
  struct Channels {
    std::vector<int64_t> out, in;
  };
  std::map<std::string, Channels> left;
};

// Without the channels that are not alive, layers of which nothing is left, and those that the output does not depend
// on; layers that read several maps read those with edges. It gives what with_zeros() of the larger one gives. Channels
// that are added to others (residual networks) stay where one of them is alive; the input's and the output's stay.
// Tensors and layers keep their names. Errors: invalid if nothing leads from the input to the output any more.
Result<SmallerNetwork> smaller_network(const Network& network, const Connections& connections);

}  // namespace tl::net
