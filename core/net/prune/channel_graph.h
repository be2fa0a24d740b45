// A network as a weighted graph: channels are the nodes; filters and other connections between channels are the edges.
#pragma once

#include "core/net/prune/edges.h"
#include "core/net/prune/paths.h"

namespace tl::net {

struct ChannelGraph {
  WeightedGraph graph;
  // For each edge of the graph, its index in the matrices; -1: not an edge of a layer with filters.
  struct MatrixEntry {
    int32_t layer;
    int64_t cell;  // output channel * input channels + input channel
  };
  std::vector<MatrixEntry> entries;
};

// The graph of the edges that are `present`, with the weights in `norms` (which include batch norm:
// operator_norms_of()); other layers have the weights of channel_factors(), sums and joined maps the weight 1.
ChannelGraph channel_graph(const Network& network, const EdgeMatrices& present, const EdgeMatrices& norms);

// The marked edges of the graph as matrices with the shapes of `present`.
EdgeMatrices matrices_of(const Network& network, const EdgeMatrices& present, const ChannelGraph& graph,
                         const std::vector<uint8_t>& marks);

}  // namespace tl::net
