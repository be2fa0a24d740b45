// Methods that remove whole filters: the same share in every layer.
#include <ATen/ATen.h>

#include <cmath>

#include "core/net/prune/choose.h"
#include "core/net/prune/connections.h"

namespace tl::net {
namespace {

// One row of numbers for each filter, for comparison with the others of its layer.
at::Tensor compared_filters(const at::Tensor& filters) {
  const at::Tensor numbers = filters.to(at::kDouble);
  return filters.size(0) > 1 ? numbers.flatten(1) : numbers.flatten(2).squeeze(0);
}

at::Tensor as_matrix(const at::Tensor& scores, const at::Tensor& filters) {
  const bool by_channel = filters.size(0) > 1;
  return (by_channel ? scores.unsqueeze(1).expand({filters.size(0), filters.size(1)}) : scores.unsqueeze(0))
      .contiguous();
}

template <class Function>
EdgeMatrices scores_by(const Network& network, Function score) {
  EdgeMatrices all;
  for (const std::size_t i : filter_layers(network)) {
    const at::Tensor filters = filters_of(network, network.layers[i]);
    all[network.layers[i].name] = as_matrix(score(compared_filters(filters)), filters);
  }
  return all;
}

// The best of the filters that still have edges, at least one.
at::Tensor best_of(const at::Tensor& present, const at::Tensor& scores, double share) {
  const bool by_channel = present.size(0) > 1;
  const at::Tensor there = by_channel ? present.any(1) : present.squeeze(0);
  const at::Tensor score = (by_channel ? scores.select(1, 0) : scores.squeeze(0)).masked_fill(there.logical_not(), -1);
  const auto count = static_cast<double>(there.sum().item<int64_t>());
  const auto keep = std::min<int64_t>(std::max<int64_t>(std::llround(share * count), 1), score.numel());
  const at::Tensor order = score.argsort(true, 0, true);
  const at::Tensor kept = at::zeros(score.sizes(), at::kBool).index_fill_(0, order.narrow(0, 0, keep), true);
  return present & (by_channel ? kept.unsqueeze(1) : kept.unsqueeze(0));
}

}  // namespace

EdgeMatrices distance_scores(const Network& network) {
  return scores_by(network, [](const at::Tensor& filters) { return at::cdist(filters, filters).sum(1); });
}

EdgeMatrices euclidean_scores(const Network& network) {
  return scores_by(network, [](const at::Tensor& filters) { return filters.square().sum(1).sqrt(); });
}

ChosenEdges choose_filters(const Network& network, const EdgeMatrices& present, EdgeMatrices scores, int64_t wanted,
                           const CancelToken& cancel) {
  ChosenEdges chosen;
  chosen.norms = std::move(scores);
  const std::vector<std::size_t> layers = filter_layers(network);
  const std::string last = network.layers[layers.back()].name;
  const auto keep = [&](double share) {
    EdgeMatrices kept;
    for (const auto& [name, matrix] : present)
      kept[name] = name == last ? matrix : best_of(matrix, chosen.norms.at(name), share);
    return kept;
  };
  // Removing a filter also removes edges of the next layer, so that the share of filters differs from that of edges.
  double low = 0, high = 1;
  constexpr int rounds = 16;
  for (int r = 0; r < rounds; ++r) {
    cancel.check();
    const double middle = (low + high) / 2;
    const bool enough = prunable_edges(network, connections(network, keep(middle)).edges) >= wanted;
    (enough ? high : low) = middle;
  }
  chosen.kept = keep(high);
  return chosen;
}

}  // namespace tl::net
