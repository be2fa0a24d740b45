// Longest multiplicative paths through a weighted graph without cycles, taken out one after the other (LEAN).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"

namespace tl::net {

// Edges sorted by the node that they lead to; nodes are numbered so that every edge leads to a higher number.
struct WeightedGraph {
  std::vector<int64_t> first{0};  // edges from first[v] to first[v + 1] lead to node v
  std::vector<int32_t> from;
  std::vector<double> weight;     // >= 0
  std::vector<uint8_t> prunable;  // others are part of paths, but are never taken out
  [[nodiscard]] int64_t nodes() const { return static_cast<int64_t>(first.size()) - 1; }
  [[nodiscard]] int64_t edges() const { return static_cast<int64_t>(from.size()); }
};

struct Path {
  std::vector<int64_t> edges;  // along the path; none: there is no path of 1 or more
  double product = 0;          // infinite if it is beyond double
};

// The path with the largest product of weights. It begins with a prunable edge, and where the product so far would be
// below 1 it is cut and begins again (R. Schoonhoven et al., arXiv 2011.06923).
Path longest_path(const WeightedGraph& graph);

struct KeptPaths {
  std::vector<uint8_t> kept;  // by edge; those that are not prunable are kept
  int64_t paths = 0;
  int64_t on_paths = 0;  // prunable edges on them; the others have been kept for their own weight
};

// Keeps `wanted` prunable edges: those of the longest path, which are taken out, then of the longest path of the rest,
// and so on. It ends when no path of 1 or more is left, or after 1000 paths of a single edge in a row; the rest are
// the edges of largest weight. The last path is kept whole if that exceeds `wanted` by no more than a fiftieth of all
// edges, or if it is the first; else it is cut at its end. Throws Failure{cancelled} after `cancel`.
KeptPaths keep_longest_paths(const WeightedGraph& graph, int64_t wanted, const CancelToken& cancel = {});

// By edge: `wanted` prunable ones on the strongest whole chains, from one of the first `inputs` nodes to one of the
// last `outputs`. An edge counts as much as the largest product of a chain through it, so that the chain of each kept
// edge is kept too; of edges that count the same, the first. One chain is kept in any case; those that are not prunable
// all are. Weights of 0 count as the smallest number above it. Without a chain none is kept.
std::vector<uint8_t> keep_strongest_chains(const WeightedGraph& graph, int64_t inputs, int64_t outputs, int64_t wanted);

}  // namespace tl::net
