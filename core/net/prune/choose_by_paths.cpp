// LEAN: the graph of channels, and its longest paths (R. Schoonhoven et al., arXiv 2011.06923).
#include "core/net/prune/channel_graph.h"
#include "core/net/prune/choose.h"
#include "core/net/prune/edge_norms.h"

namespace tl::net {

ChosenEdges choose_by_paths(const Network& network, const EdgeMatrices& present, int64_t wanted,
                            const CancelToken& cancel) {
  ChosenEdges chosen;
  chosen.norms = operator_norms_of(network, cancel);
  const ChannelGraph g = channel_graph(network, present, chosen.norms);
  const KeptPaths paths = keep_longest_paths(g.graph, wanted, cancel);
  chosen.paths = paths.paths;
  chosen.kept = matrices_of(network, present, g, paths.kept);
  return chosen;
}

}  // namespace tl::net
