// Arranges the nodes of a graph in columns: a node's column is its longest path from a source; within a column nodes
// are sorted by the mean position of their inputs.
#include "core/graph/auto_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/graph/link_index.h"

namespace tl {
namespace {

using Columns = std::vector<std::vector<std::string>>;

// Layer of each node: its longest path from a source; a source is in the layer before the first node that it feeds.
std::map<std::string, std::size_t> layers(const Graph& graph) {
  std::map<std::string, std::size_t> layer;
  for (const auto& [id, node] : graph.nodes) layer[id] = 0;
  const auto known = [&](const Link& l) { return layer.count(l.from_node) != 0 && layer.count(l.to_node) != 0; };
  const auto push = [&](const Link& l) {
    std::size_t& to = layer[l.to_node];
    const std::size_t wanted = std::min(std::max(to, layer[l.from_node] + 1), graph.nodes.size());
    return std::exchange(to, wanted) != wanted;
  };
  Graph sound = graph;
  std::erase_if(sound.links, [&](const Link& l) { return !known(l); });
  if (const auto order = topological_order(sound); order.ok()) {
    const LinkIndex links(sound);
    for (const std::string& id : order.value())
      for (const Link* l : links.from(id)) push(*l);
  } else {
    // The number of rounds is limited: a cycle would push its nodes to the right without end.
    bool moved = true;
    for (std::size_t round = 0; moved && round < std::min<std::size_t>(graph.nodes.size(), 100); ++round) {
      moved = false;
      for (const Link& l : sound.links) moved = push(l) || moved;
    }
  }
  for (auto& [id, mine] : layer) {
    std::size_t next = graph.nodes.size() + 1;
    bool fed = false;
    for (const Link& l : graph.links) {
      if (!known(l)) continue;
      if (l.from_node == id) next = std::min(next, layer[l.to_node]);
      fed = fed || l.to_node == id;
    }
    if (!fed && next <= graph.nodes.size() && next > 0) mine = next - 1;
  }
  return layer;
}

NodeSize size_of(const std::map<std::string, NodeSize>& sizes, const std::string& node) {
  const auto found = sizes.find(node);
  return found == sizes.end() ? NodeSize{} : found->second;
}

// Mean vertical centre of those inputs of a node that are already placed; `else_at` if there are none.
double wanted_middle(const Graph& graph, const std::map<std::string, NodePosition>& placed,
                     const std::map<std::string, NodeSize>& sizes, const std::string& node, double else_at) {
  double sum = 0;
  int count = 0;
  for (const Link& l : graph.links) {
    const auto from = placed.find(l.from_node);
    if (l.to_node != node || from == placed.end()) continue;
    sum += from->second.y + size_of(sizes, l.from_node).height / 2;
    ++count;
  }
  return count == 0 ? else_at : sum / count;
}

}  // namespace

std::map<std::string, NodePosition> auto_layout(const Graph& graph, const std::map<std::string, NodeSize>& sizes,
                                                const LayoutSpacing& spacing) {
  Columns columns;
  for (const auto& [id, layer] : layers(graph)) {
    if (columns.size() <= layer) columns.resize(layer + 1);
    columns[layer].push_back(id);
  }
  std::map<std::string, NodePosition> placed;
  double x = 0;
  for (const auto& column : columns) {
    double width = 0, lowest = 0;
    std::vector<std::pair<double, std::string>> order;
    for (const std::string& id : column) {
      width = std::max(width, size_of(sizes, id).width);
      order.emplace_back(wanted_middle(graph, placed, sizes, id, lowest), id);
      lowest = std::max(lowest, order.back().first + size_of(sizes, id).height + spacing.rows);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // The top of a node with one input is aligned with that input, so that a chain is level.
    double free = -1e300;
    for (const auto& [middle, id] : order) {
      double top = middle - size_of(sizes, id).height / 2;
      const Link* only = nullptr;
      int inputs = 0;
      for (const Link& l : graph.links)
        if (l.to_node == id && placed.count(l.from_node) != 0) {
          only = &l;
          ++inputs;
        }
      if (inputs == 1) top = placed.at(only->from_node).y;
      if (inputs == 0) top = std::max(free, 0.0);
      placed[id] = {x, std::max(top, free)};
      free = placed[id].y + size_of(sizes, id).height + spacing.rows;
    }
    if (!column.empty()) x += width + spacing.columns;
  }
  return placed;
}

}  // namespace tl
