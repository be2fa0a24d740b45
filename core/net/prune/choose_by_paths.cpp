// LEAN: the graph of channels, and its longest paths (R. Schoonhoven et al., arXiv 2011.06923).
#include <ATen/ATen.h>

#include "core/net/prune/channel_graph.h"
#include "core/net/prune/choose.h"
#include "core/net/prune/edge_norms.h"

namespace tl::net {

ChosenEdges choose_by_paths(const Network& network, const EdgeMatrices& present, int64_t wanted) {
  ChosenEdges chosen;
  chosen.norms = operator_norms_of(network);
  const ChannelGraph g = channel_graph(network, present, chosen.norms);
  const KeptPaths paths = keep_longest_paths(g.graph, wanted);
  chosen.paths = paths.paths;
  for (const auto& [name, matrix] : present) chosen.kept[name] = at::zeros(matrix.sizes(), at::kBool);
  std::vector<bool*> matrices;
  for (const Layer& l : network.layers) {
    const auto found = chosen.kept.find(l.name);
    matrices.push_back(found == chosen.kept.end() ? nullptr : found->second.mutable_data_ptr<bool>());
  }
  for (std::size_t e = 0; e < g.places.size(); ++e)
    if (paths.kept[e] != 0 && g.places[e].layer >= 0)
      matrices[static_cast<std::size_t>(g.places[e].layer)][g.places[e].cell] = true;
  return chosen;
}

}  // namespace tl::net
