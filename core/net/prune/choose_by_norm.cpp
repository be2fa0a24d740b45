// Keeps the edges above one threshold for all layers.
#include <ATen/ATen.h>

#include <algorithm>

#include "core/net/prune/choose.h"

namespace tl::net {

ChosenEdges choose_by_norm(const Network& network, const EdgeMatrices& present, EdgeMatrices norms, int64_t wanted) {
  ChosenEdges chosen;
  chosen.norms = std::move(norms);
  struct Edge {
    double norm;
    int32_t layer;
    int64_t cell;
  };
  std::vector<Edge> edges;
  std::vector<std::size_t> layers = filter_layers(network);
  const std::string last = network.layers[layers.back()].name;
  chosen.kept[last] = present.at(last).clone();
  layers.pop_back();
  std::vector<bool*> matrices;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const std::string& name = network.layers[layers[k]].name;
    const at::Tensor there = present.at(name).contiguous(), norm = chosen.norms.at(name).contiguous();
    for (int64_t cell = 0; cell < there.numel(); ++cell)
      if (there.const_data_ptr<bool>()[cell])
        edges.push_back({norm.const_data_ptr<double>()[cell], static_cast<int32_t>(k), cell});
    chosen.kept[name] = at::zeros(there.sizes(), at::kBool);
    matrices.push_back(chosen.kept[name].mutable_data_ptr<bool>());
  }
  const auto count = std::clamp<int64_t>(wanted, 0, static_cast<int64_t>(edges.size()));
  // Edges of equal norm are sorted by layer.
  const auto before = [](const Edge& a, const Edge& b) {
    if (a.norm != b.norm) return a.norm > b.norm;
    return a.layer != b.layer ? a.layer < b.layer : a.cell < b.cell;
  };
  std::nth_element(edges.begin(), edges.begin() + count, edges.end(), before);
  for (int64_t e = 0; e < count; ++e) {
    const Edge& edge = edges[static_cast<std::size_t>(e)];
    matrices[static_cast<std::size_t>(edge.layer)][edge.cell] = true;
  }
  return chosen;
}

}  // namespace tl::net
