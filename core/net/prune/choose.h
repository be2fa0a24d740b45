// Pruning methods: which edges of a network to keep.
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

// Chooses `wanted` prunable edges of those that are `present`. Methods that remove whole filters keep so many in every
// layer that about `wanted` edges remain between channels that are alive (connections.h). Edges of the last layer are
// kept. Throws Failure{cancelled} after `cancel`: large networks take minutes.
ChosenEdges choose_edges(const Network& network, const EdgeMatrices& present, PruneMethod method, int64_t wanted,
                         const CancelToken& cancel);

// One per file.
ChosenEdges choose_by_paths(const Network& network, const EdgeMatrices& present, int64_t wanted,
                            const CancelToken& cancel);
ChosenEdges choose_by_norm(const Network& network, const EdgeMatrices& present, EdgeMatrices norms, int64_t wanted);
// Chooses by one score per filter, the largest first: per output channel or, if the layer has only one, per edge.
ChosenEdges choose_filters(const Network& network, const EdgeMatrices& present, EdgeMatrices scores, int64_t wanted,
                           const CancelToken& cancel);

// For cases in which most chosen edges would not connect input and output: single edges are compared across layers, and
// all edges of a layer with small kernels may be below the threshold (H. Tanaka et al., Pruning neural networks without
// any data, arXiv 2006.05467, call it layer collapse). Products along whole chains do not depend on the scale of
// layers. `norms` as in ChosenEdges.
EdgeMatrices choose_by_chains(const Network& network, const EdgeMatrices& present, const EdgeMatrices& norms,
                              int64_t wanted);

// Scores for choose_filters(), repeated over the matrix: the sum of a filter's distances from the others of its layer
// (Y. He et al., Filter pruning via geometric median, CVPR (2019) 4335).
EdgeMatrices distance_scores(const Network& network);
// Scores by a filter's Euclidean norm (Y. He et al., Soft filter pruning, IJCAI (2018) 2234).
EdgeMatrices euclidean_scores(const Network& network);

}  // namespace tl::net
