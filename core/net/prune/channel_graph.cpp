// Numbers channels in the order of the layers.
#include "core/net/prune/channel_graph.h"

#include <ATen/ATen.h>

#include <set>

#include "core/net/prune/edge_norms.h"

namespace tl::net {

ChannelGraph channel_graph(const Network& network, const EdgeMatrices& present, const EdgeMatrices& norms) {
  const std::vector<int64_t> channels = channels_of(network).or_throw();
  const std::vector<bool> used = used_layers(network);
  const std::vector<std::size_t> layers = filter_layers(network);
  std::vector<int64_t> first{0};
  for (const int64_t n : channels) first.push_back(first.back() + n);
  std::set<std::size_t> counted_in;  // batch norms whose factor is part of the filters before them
  for (const std::size_t i : layers) counted_in.insert(batch_norm_fed_only_by(network, i));
  ChannelGraph result;
  WeightedGraph& g = result.graph;
  const auto edge = [&](int64_t from, double weight, bool prunable, ChannelGraph::MatrixEntry entry) {
    g.from.push_back(static_cast<int32_t>(from));
    g.weight.push_back(weight);
    g.prunable.push_back(prunable ? 1 : 0);
    result.entries.push_back(entry);
  };
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Layer& l = network.layers[i];
    std::vector<int64_t> from;  // nodes that it reads
    for (const int64_t k : l.inputs)
      for (int64_t c = 0; c < channels[static_cast<std::size_t>(k)]; ++c)
        from.push_back(first[static_cast<std::size_t>(k)] + c);
    const auto in = static_cast<int64_t>(from.size());
    const bool has_filters = used[i] && present.count(l.name) != 0;
    at::Tensor factors, there, norm;
    if (has_filters) {
      there = present.at(l.name).contiguous();
      norm = norms.at(l.name).contiguous();
    } else if (used[i] && i > 0) {
      factors = counted_in.count(i) != 0 ? at::ones({channels[i]}, at::kDouble)
                                         : channel_factors(network, l, channels[i]).contiguous();
    }
    for (int64_t c = 0; c < channels[i]; ++c) {
      if (has_filters) {
        const bool* is_there = there.const_data_ptr<bool>() + c * in;
        const double* weight = norm.const_data_ptr<double>() + c * in;
        for (int64_t k = 0; k < in; ++k)
          if (is_there[k])
            edge(from[static_cast<std::size_t>(k)], weight[k], i != layers.back(),
                 {static_cast<int32_t>(i), c * in + k});
      } else if (factors.defined()) {
        const double weight = factors.const_data_ptr<double>()[c];
        const bool sums = l.kind == LayerKind::add;
        for (int64_t k = c; k < in; k += channels[i]) {
          edge(from[static_cast<std::size_t>(k)], weight, false, {-1, 0});
          if (!sums) break;
        }
      }
      g.first.push_back(g.edges());
    }
  }
  return result;
}

EdgeMatrices matrices_of(const Network& network, const EdgeMatrices& present, const ChannelGraph& graph,
                         const std::vector<uint8_t>& marks) {
  EdgeMatrices marked;
  for (const auto& [name, matrix] : present) marked[name] = at::zeros(matrix.sizes(), at::kBool);
  std::vector<bool*> cells;
  for (const Layer& l : network.layers) {
    const auto found = marked.find(l.name);
    cells.push_back(found == marked.end() ? nullptr : found->second.mutable_data_ptr<bool>());
  }
  for (std::size_t e = 0; e < graph.entries.size(); ++e)
    if (marks[e] != 0 && graph.entries[e].layer >= 0)
      cells[static_cast<std::size_t>(graph.entries[e].layer)][graph.entries[e].cell] = true;
  return marked;
}

}  // namespace tl::net
