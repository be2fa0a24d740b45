// A network as a weighted graph: its channels are the nodes, filters and what lies between them the edges.
#pragma once

#include "core/net/prune/edges.h"
#include "core/net/prune/paths.h"

namespace tl::net {

struct ChannelGraph {
  WeightedGraph graph;
  // Of each edge of the graph, where it is in the matrices; -1: not an edge of a layer with filters.
  struct MatrixEntry {
    int32_t layer;
    int64_t cell;  // output channel * input channels + input channel
  };
  std::vector<MatrixEntry> entries;
};

// Of the edges that are `present`, with the weights of `norms` (which count batch norm in: operator_norms_of()); the
// other layers weigh as channel_factors() says, and so do sums and joined maps, by 1.
ChannelGraph channel_graph(const Network& network, const EdgeMatrices& present, const EdgeMatrices& norms);

// The marked edges of the graph as matrices of the same shapes as `present`.
EdgeMatrices matrices_of(const Network& network, const EdgeMatrices& present, const ChannelGraph& graph,
                         const std::vector<uint8_t>& marks);

}  // namespace tl::net
