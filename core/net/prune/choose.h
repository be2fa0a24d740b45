// Methods of pruning: which edges of a network to keep.
#pragma once

#include "core/base/cancel.h"
#include "core/net/prune/edges.h"
#include "core/net/prune/prune_method.h"

namespace tl::net {

struct ChosenEdges {
  EdgeMatrices kept;
  EdgeMatrices norms;  // what the choice went by
  int64_t paths = 0;   // of lean
};

// Of the edges that are `present`, `wanted` prunable ones. Methods that take whole filters keep as many of every layer
// as leave about `wanted` edges between channels that are alive (connections.h). Edges of the last layer are kept.
// Throws Failure{cancelled} after `cancel`: large networks take minutes.
ChosenEdges choose_edges(const Network& network, const EdgeMatrices& present, PruneMethod method, int64_t wanted,
                         const CancelToken& cancel);

// One per file.
ChosenEdges choose_by_paths(const Network& network, const EdgeMatrices& present, int64_t wanted,
                            const CancelToken& cancel);
ChosenEdges choose_by_norm(const Network& network, const EdgeMatrices& present, EdgeMatrices norms, int64_t wanted);
// By one number of each filter, larger is better: of an output channel, or, where the layer has only one, of an edge.
ChosenEdges choose_filters(const Network& network, const EdgeMatrices& present, EdgeMatrices scores, int64_t wanted,
                           const CancelToken& cancel);

// For choices of which little leads from the input to the output: single edges are compared across layers, and all of a
// layer of small kernels may be weaker than what is wanted (H. Tanaka et al., Pruning neural networks without any data,
// arXiv 2006.05467, call it layer collapse). Products along whole chains do not depend on how layers compare. `norms`
// as in ChosenEdges.
EdgeMatrices choose_by_chains(const Network& network, const EdgeMatrices& present, const EdgeMatrices& norms,
                              int64_t wanted);

// For choose_filters(), a matrix that repeats a filter's number: the sum of its distances from the others of its layer
// (Y. He et al., Filter pruning via geometric median, CVPR (2019) 4335).
EdgeMatrices distance_scores(const Network& network);
// Its Euclidean norm (Y. He et al., Soft filter pruning, IJCAI (2018) 2234).
EdgeMatrices euclidean_scores(const Network& network);

}  // namespace tl::net
