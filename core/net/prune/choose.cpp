// Chooses edges by the measure of each method.
#include "core/net/prune/choose.h"

#include "core/net/prune/edge_norms.h"

namespace tl::net {

ChosenEdges choose_edges(const Network& network, const EdgeMatrices& present, PruneMethod method, int64_t wanted,
                         const CancelToken& cancel) {
  switch (method) {
    case PruneMethod::lean: return choose_by_paths(network, present, wanted, cancel);
    case PruneMethod::operator_norm:
      return choose_by_norm(network, present, operator_norms_of(network, cancel), wanted);
    case PruneMethod::l1: return choose_by_norm(network, present, l1_norms_of(network), wanted);
    case PruneMethod::geometric_median:
      return choose_filters(network, present, distance_scores(network), wanted, cancel);
    case PruneMethod::soft: return choose_filters(network, present, euclidean_scores(network), wanted, cancel);
  }
  TL_CHECK(false, "an unknown method of pruning");
  return {};
}

}  // namespace tl::net
