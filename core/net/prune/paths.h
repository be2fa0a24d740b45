// Longest multiplicative paths through a weighted acyclic graph, removed one after the other (LEAN).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"

namespace tl::net {

// Edges sorted by the node to which they lead; nodes are numbered so that every edge leads to a higher number.
struct WeightedGraph {
  std::vector<int64_t> first{0};  // edges from first[v] to first[v + 1] lead to node v
  std::vector<int32_t> from;
  std::vector<double> weight;     // >= 0
  std::vector<uint8_t> prunable;  // other edges are part of paths, but are never removed
  [[nodiscard]] int64_t nodes() const { return static_cast<int64_t>(first.size()) - 1; }
  [[nodiscard]] int64_t edges() const { return static_cast<int64_t>(from.size()); }
};

struct Path {
  std::vector<int64_t> edges;  // edges along the path; empty: there is no path with a product of 1 or more
  double product = 0;          // infinite if it exceeds the range of double
};

// The path with the largest product of weights. It begins with a prunable edge; if the product so far would fall below
// 1, the path restarts there (R. Schoonhoven et al., arXiv 2011.06923).
Path longest_path(const WeightedGraph& graph);

struct KeptPaths {
  std::vector<uint8_t> kept;  // by edge; edges that are not prunable are kept
  int64_t paths = 0;
  int64_t on_paths = 0;  // number of prunable edges on paths; the others are kept for their own weight
};

// Keeps `wanted` prunable edges: those of the longest path, which are removed from the graph, then of the longest path
// of the rest, and so on. It ends when no path of 1 or more is left, or after 1000 paths of a single edge in a row; the
// rest are the edges of largest weight. The last path is kept whole if `wanted` is then exceeded by at most a fiftieth
// of all edges, or if it is the first; else it is cut at its end. Throws Failure{cancelled} after `cancel`.
KeptPaths keep_longest_paths(const WeightedGraph& graph, int64_t wanted, const CancelToken& cancel = {});

// By edge: `wanted` prunable edges on the strongest whole chains, from one of the first `inputs` nodes to one of the
// last `outputs`. The score of an edge is the largest product of a chain through it, so that the chain of each kept
// edge is kept too; among equal scores, the first edge. At least one chain is kept; edges that are not prunable are all
// kept. Weights of 0 count as the smallest positive number. Without a chain none is kept.
std::vector<uint8_t> keep_strongest_chains(const WeightedGraph& graph, int64_t inputs, int64_t outputs, int64_t wanted);

}  // namespace tl::net
