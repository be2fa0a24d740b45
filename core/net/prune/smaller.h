// The smaller network that is left when edges are removed.
#pragma once

#include "core/net/prune/connections.h"

namespace tl::net {

struct SmallerNetwork {
  Network network;
  // For layers with filters: the remaining edges. Filter banks are full matrices, which may contain further edges;
  // these are zero.
  EdgeMatrices edges;
  // By name of a layer with filters: which output and input channels of the larger network remain.
  struct Channels {
    std::vector<int64_t> out, in;
  };
  std::map<std::string, Channels> left;
};

// Removes channels that are not alive, layers of which nothing remains, and layers on which the output does not depend;
// layers that read several maps read only those with edges. Its output equals that of with_zeros() of the larger
// network. Channels that are added to others (residual networks) stay if one of them is alive; the input's and the
// output's stay. Tensors and layers keep their names. Errors: invalid if the input is no longer connected to the
// output.
Result<SmallerNetwork> smaller_network(const Network& network, const Connections& connections);

}  // namespace tl::net
