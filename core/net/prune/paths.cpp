// Dynamic programming over the nodes in order. After a path was removed, only nodes whose best path used it change, and
// of their edges, sorted by weight, only those are examined that could still be the best.
#include "core/net/prune/paths.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tl::net {
namespace {

// Sums of logarithms, which do not overflow on deep networks.
constexpr double no_path = -std::numeric_limits<double>::infinity();

class PathSearch {
 public:
  explicit PathSearch(const WeightedGraph& graph)
      : graph_(graph),
        taken_(graph.from.size(), 0),
        length_(static_cast<std::size_t>(graph.nodes()), no_path),
        via_(length_.size(), -1),
        changed_(length_.size(), 0),
        order_(graph.from.size()),
        left_(graph.first.begin(), graph.first.end() - 1) {
    log_.reserve(graph.weight.size());
    for (const double w : graph.weight) log_.push_back(w > 0 ? std::log(w) : no_path);
    std::iota(order_.begin(), order_.end(), int64_t{0});
    sources_.reserve(length_.size());
    for (std::size_t v = 0; v < length_.size(); ++v) {
      const auto first = graph.first[v], last = graph.first[v + 1];
      std::sort(order_.begin() + first, order_.begin() + last, [&](int64_t a, int64_t b) {
        const double one = log_[static_cast<std::size_t>(a)], other = log_[static_cast<std::size_t>(b)];
        return one != other ? one > other : a < b;
      });
      const auto [low, high] = std::minmax_element(graph.from.begin() + first, graph.from.begin() + last);
      sources_.emplace_back(first == last ? std::pair(0, -1) : std::pair(*low, *high));
    }
    for (std::size_t v = 0; v < length_.size(); ++v) update(v);
  }

  [[nodiscard]] Path longest() const {
    Path path;
    const auto end = std::max_element(length_.begin(), length_.end());
    if (end == length_.end() || *end == no_path) return path;
    path.product = std::exp(*end);
    for (auto v = static_cast<std::size_t>(end - length_.begin()); via_[v] >= 0;
         v = static_cast<std::size_t>(graph_.from[static_cast<std::size_t>(via_[v])]))
      path.edges.push_back(via_[v]);
    std::reverse(path.edges.begin(), path.edges.end());
    return path;
  }

  void take_out(const Path& path) {
    for (const int64_t e : path.edges)
      if (graph_.prunable[static_cast<std::size_t>(e)] != 0) taken_[static_cast<std::size_t>(e)] = 1;
    // Lengths only decrease, so that a node keeps its best edge if that still exists and comes from an unchanged node.
    std::fill(changed_.begin(), changed_.end(), 0);
    bounded_ = {0, -1};
    const auto begin = static_cast<std::size_t>(graph_.from[static_cast<std::size_t>(path.edges.front())]);
    for (std::size_t v = begin; v < length_.size(); ++v) {
      if (via_[v] < 0) continue;
      const auto e = static_cast<std::size_t>(via_[v]);
      if (taken_[e] == 0 && changed_[static_cast<std::size_t>(graph_.from[e])] == 0) continue;
      const double before = length_[v];
      update(v);
      changed_[v] = length_[v] != before ? 1 : 0;
    }
  }

  [[nodiscard]] bool taken(std::size_t edge) const { return taken_[edge] != 0; }

 private:
  void update(std::size_t v) {
    length_[v] = no_path;
    via_[v] = -1;
    const double most = std::max(longest_before(v), 0.0);
    const int64_t end = graph_.first[v + 1];
    int64_t& left = left_[v];
    while (left < end && taken_[static_cast<std::size_t>(order_[static_cast<std::size_t>(left)])] != 0) ++left;
    for (int64_t k = left; k < end; ++k) {
      const int64_t edge = order_[static_cast<std::size_t>(k)];
      const auto e = static_cast<std::size_t>(edge);
      const double bound = log_[e] + most;
      if (bound < 0 || bound < length_[v]) break;
      if (taken_[e] != 0) continue;
      const double before = length_[static_cast<std::size_t>(graph_.from[e])];
      const double length = log_[e] + (graph_.prunable[e] != 0 ? std::max(before, 0.0) : before);
      // Of equal ones the first.
      if (length >= 0 && (length > length_[v] || (length == length_[v] && edge < via_[v]))) {
        length_[v] = length;
        via_[v] = edge;
      }
    }
  }

  // The longest path to any of the nodes between the first and the last that lead to v; these are the same for all
  // channels of a layer.
  double longest_before(std::size_t v) {
    if (const auto& range = sources_[v]; range != bounded_) {
      bounded_ = range;
      bound_ = no_path;
      for (int32_t u = range.first; u <= range.second; ++u)
        bound_ = std::max(bound_, length_[static_cast<std::size_t>(u)]);
    }
    return bound_;
  }

  const WeightedGraph& graph_;
  std::vector<uint8_t> taken_;
  std::vector<double> log_, length_;  // logarithm of its weights; length of the longest path to each node
  std::vector<int64_t> via_;          // its last edge
  std::vector<uint8_t> changed_;
  std::vector<int64_t> order_;  // the edges of each node, the heaviest first
  std::vector<int64_t> left_;   // by node, number of edges in that order that are all removed
  std::vector<std::pair<int32_t, int32_t>> sources_;
  // While later nodes are visited, the lengths up to the last of these nodes no longer change.
  std::pair<int32_t, int32_t> bounded_{0, -1};
  double bound_ = no_path;
};

double log_of(double weight) { return std::log(std::max(weight, std::numeric_limits<double>::min())); }

}  // namespace

Path longest_path(const WeightedGraph& graph) { return PathSearch(graph).longest(); }

KeptPaths keep_longest_paths(const WeightedGraph& graph, int64_t wanted, const CancelToken& cancel) {
  KeptPaths result;
  PathSearch search(graph);
  result.kept.assign(graph.from.size(), 0);
  std::vector<int64_t> rest;
  int64_t total = 0, single = 0;
  for (const uint8_t p : graph.prunable) total += p;
  const int64_t exceeding = total / 50;
  constexpr int64_t max_single = 1000;
  while (result.on_paths < wanted && single < max_single) {
    cancel.check();
    const Path path = search.longest();
    if (path.edges.empty()) break;
    search.take_out(path);
    const auto prunable = std::count_if(path.edges.begin(), path.edges.end(),
                                        [&](int64_t e) { return graph.prunable[static_cast<std::size_t>(e)] != 0; });
    const bool whole = result.paths == 0 || result.on_paths + prunable <= wanted + exceeding;
    for (const int64_t e : path.edges) {
      if (graph.prunable[static_cast<std::size_t>(e)] == 0) continue;
      if (!whole && result.on_paths == wanted) break;
      result.kept[static_cast<std::size_t>(e)] = 1;
      ++result.on_paths;
    }
    ++result.paths;
    single = prunable == 1 ? single + 1 : 0;
  }
  for (std::size_t e = 0; e < graph.from.size(); ++e) {
    if (graph.prunable[e] == 0) {
      result.kept[e] = 1;
    } else if (result.kept[e] == 0) {
      rest.push_back(static_cast<int64_t>(e));
    }
  }
  const int64_t more = std::clamp<int64_t>(wanted - result.on_paths, 0, static_cast<int64_t>(rest.size()));
  const auto weight = [&](int64_t e) { return graph.weight[static_cast<std::size_t>(e)]; };
  std::partial_sort(rest.begin(), rest.begin() + more, rest.end(),
                    [&](int64_t a, int64_t b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
  for (int64_t k = 0; k < more; ++k) result.kept[static_cast<std::size_t>(rest[static_cast<std::size_t>(k)])] = 1;
  return result;
}

std::vector<uint8_t> keep_strongest_chains(const WeightedGraph& graph, int64_t inputs, int64_t outputs,
                                           int64_t wanted) {
  const auto nodes = static_cast<std::size_t>(graph.nodes()), edges = graph.from.size();
  std::vector<double> before(nodes, no_path), behind(nodes, no_path);  // log of the strongest chain to and from a node
  std::fill_n(before.begin(), inputs, 0.0);
  std::fill_n(behind.rbegin(), outputs, 0.0);
  const auto from = [&](std::size_t e) { return static_cast<std::size_t>(graph.from[e]); };
  std::vector<int64_t> via(nodes, -1);  // last edge of the strongest chain to a node
  std::vector<std::size_t> to(edges);
  for (std::size_t v = 0; v < nodes; ++v)
    for (auto e = static_cast<std::size_t>(graph.first[v]); e < static_cast<std::size_t>(graph.first[v + 1]); ++e) {
      to[e] = v;
      const double length = before[from(e)] + log_of(graph.weight[e]);
      if (length <= before[v]) continue;
      before[v] = length;
      via[v] = static_cast<int64_t>(e);
    }
  for (std::size_t e = edges; e-- > 0;)
    behind[from(e)] = std::max(behind[from(e)], behind[to[e]] + log_of(graph.weight[e]));
  std::vector<uint8_t> kept(edges, 0);
  std::vector<std::pair<double, std::size_t>> scores;  // negative, so that the first of equal scores comes first
  for (std::size_t e = 0; e < edges; ++e) {
    const double score = before[from(e)] + log_of(graph.weight[e]) + behind[to[e]];
    kept[e] = graph.prunable[e] != 0 ? 0 : 1;
    if (graph.prunable[e] != 0 && score != no_path) scores.emplace_back(-score, e);
  }
  const auto count = std::clamp<int64_t>(wanted, 0, static_cast<int64_t>(scores.size()));
  std::nth_element(scores.begin(), scores.begin() + count, scores.end());
  for (int64_t k = 0; k < count; ++k) kept[scores[static_cast<std::size_t>(k)].second] = 1;
  const auto end = std::max_element(before.end() - outputs, before.end());
  for (auto v = static_cast<std::size_t>(end - before.begin()); via[v] >= 0; v = from(static_cast<std::size_t>(via[v])))
    kept[static_cast<std::size_t>(via[v])] = 1;
  return kept;
}

}  // namespace tl::net
