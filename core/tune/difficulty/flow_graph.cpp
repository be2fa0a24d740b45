// Makes fitness flow graphs and iterates their PageRank.
#include "core/tune/difficulty/flow_graph.h"

#include <cmath>

namespace tl::tune {

bool is_minimum(const Landscape& landscape, int64_t cell, Neighbourhood kind, std::vector<int64_t>& scratch) {
  const double score = landscape.score(cell);
  if (!(score < failed_score)) return false;
  neighbours_of(landscape, cell, kind, scratch);
  for (const int64_t other : scratch)
    if (landscape.score(other) < score) return false;
  return true;
}

FlowGraph flow_graph(const Landscape& landscape, Neighbourhood kind, FlowEdges edges, const CancelToken& cancel) {
  const std::vector<int64_t>& members = landscape.members();
  std::vector<int32_t> node_of(static_cast<std::size_t>(landscape.cells()), -1);
  for (std::size_t i = 0; i < members.size(); ++i)
    node_of[static_cast<std::size_t>(members[i])] = static_cast<int32_t>(i);
  FlowGraph graph;
  graph.begin.reserve(members.size() + 1);
  graph.begin.push_back(0);
  std::vector<int64_t> around;
  constexpr std::size_t between_looks = 4096;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i % between_looks == 0) cancel.check();
    const double score = landscape.score(members[i]);
    neighbours_of(landscape, members[i], kind, around);
    bool is_least = score < failed_score;
    for (const int64_t cell : around) {
      const double other = landscape.score(cell);
      if (other < score) is_least = false;
      if (edges == FlowEdges::at_most ? other <= score : other < score)
        graph.target.push_back(node_of[static_cast<std::size_t>(cell)]);
    }
    if (is_least) graph.minima.push_back(static_cast<int64_t>(i));
    graph.begin.push_back(graph.edges());
  }
  return graph;
}

std::vector<double> page_rank(const FlowGraph& graph, PageRank how, const CancelToken& cancel) {
  const auto count = static_cast<std::size_t>(graph.nodes());
  const double share = 1 / static_cast<double>(count);
  // networkx: tol = 1e-6, at most 100 rounds.
  const double enough = how == PageRank::networkx ? 1e-6 * static_cast<double>(count) : 1e-15;
  const int most_rounds = how == PageRank::networkx ? 100 : 500;
  std::vector<double> rank(count, share), next(count);
  for (int round = 0; round < most_rounds; ++round) {
    cancel.check();
    double dangling = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (graph.begin[i] == graph.begin[i + 1]) dangling += rank[i];
    next.assign(count, (1 - damping) * share + damping * dangling * share);
    for (std::size_t i = 0; i < count; ++i) {
      const int64_t from = graph.begin[i], to = graph.begin[i + 1];
      if (from == to) continue;
      const double part = damping * rank[i] / static_cast<double>(to - from);
      for (int64_t e = from; e < to; ++e)
        next[static_cast<std::size_t>(graph.target[static_cast<std::size_t>(e)])] += part;
    }
    double change = 0;
    for (std::size_t i = 0; i < count; ++i) change += std::abs(next[i] - rank[i]);
    rank.swap(next);
    if (change < enough) break;
  }
  return rank;
}

}  // namespace tl::tune
