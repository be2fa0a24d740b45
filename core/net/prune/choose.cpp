// Names of the methods, and which measure each goes by.
#include "core/net/prune/choose.h"

#include <array>

#include "core/net/prune/edge_norms.h"

namespace tl::net {

std::string_view to_string(PruneMethod method) {
  constexpr std::array names = {"lean", "norm", "l1", "geometric_median", "soft"};
  return names.at(static_cast<std::size_t>(method));
}

ChosenEdges choose_edges(const Network& network, const EdgeMatrices& present, PruneMethod method, int64_t wanted) {
  switch (method) {
    case PruneMethod::lean:
      return choose_by_paths(network, present, wanted);
    case PruneMethod::operator_norm:
      return choose_by_norm(network, present, operator_norms_of(network), wanted);
    case PruneMethod::l1:
      return choose_by_norm(network, present, l1_norms_of(network), wanted);
    case PruneMethod::geometric_median:
      return choose_filters(network, present, distance_scores(network), wanted);
    case PruneMethod::soft:
      return choose_filters(network, present, euclidean_scores(network), wanted);
  }
  TL_CHECK(false, "a method of pruning that there is not");
  return {};
}

}  // namespace tl::net
