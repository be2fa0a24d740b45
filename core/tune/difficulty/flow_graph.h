// FlowGraph: where a climb can go from each configuration, its local minima, and the PageRank of its nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/tune/landscape.h"

namespace tl::tune {

enum class FlowEdges {
  at_most,  // to neighbours whose score is not above
  below,    // to neighbours whose score is below
};

// The fitness flow graph of Schoonhoven et al. (2022). Nodes are the configurations of the space, failed ones too, in
// the order of Landscape::members(); the edges of node i are target[begin[i]] ... target[begin[i + 1] - 1].
struct FlowGraph {
  std::vector<int64_t> begin, target;
  std::vector<int64_t> minima;  // nodes, in order

  [[nodiscard]] int64_t nodes() const { return static_cast<int64_t>(begin.size()) - 1; }
  [[nodiscard]] int64_t edges() const { return static_cast<int64_t>(target.size()); }
};
// Throws Failure when cancelled.
FlowGraph flow_graph(const Landscape& landscape, Neighbourhood kind, FlowEdges edges, const CancelToken& cancel = {});

// A configuration that did not fail and that no neighbour betters.
bool is_minimum(const Landscape& landscape, int64_t cell, Neighbourhood kind, std::vector<int64_t>& scratch);

// The share of time that a walk spends in each node: with probability .85 it follows one of the edges, otherwise, and
// where there are none, it goes to any node.
inline constexpr double damping = 0.85;
enum class PageRank {
  exact,     // iterated until sums of changes are below 1e-15
  networkx,  // as networkx 2 and 3 stop: changes of less than 1e-6 a node on average, which is far from converged
};
std::vector<double> page_rank(const FlowGraph& graph, PageRank how, const CancelToken& cancel = {});

}  // namespace tl::tune
