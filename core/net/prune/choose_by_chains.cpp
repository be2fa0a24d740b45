// Whole chains, where the choice of a method would leave few paths through the network, or none.
#include "core/net/prune/channel_graph.h"
#include "core/net/prune/choose.h"

namespace tl::net {

EdgeMatrices choose_by_chains(const Network& network, const EdgeMatrices& present, const EdgeMatrices& norms,
                              int64_t wanted) {
  const std::vector<int64_t> channels = channels_of(network).or_throw();
  const ChannelGraph g = channel_graph(network, present, norms);
  return matrices_of(network, present, g, keep_strongest_chains(g.graph, channels.front(), channels.back(), wanted));
}

}  // namespace tl::net
