// Finds the nodes that some nodes depend on, by following the links upstream.
#include "core/graph/upstream.h"

#include <map>

namespace tl {

Graph upstream_of(const Graph& graph, const std::vector<std::string>& nodes) {
  std::multimap<std::string, const Link*> into;
  for (const Link& link : graph.links) into.emplace(link.to_node, &link);
  Graph part;
  std::vector<std::string> open = nodes;
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    const auto node = graph.nodes.find(id);
    if (node == graph.nodes.end() || !part.nodes.emplace(id, node->second).second) continue;
    const auto [first, last] = into.equal_range(id);
    for (auto link = first; link != last; ++link) open.push_back(link->second->from_node);
  }
  for (const Link& link : graph.links)
    if (part.nodes.count(link.to_node) != 0) part.links.push_back(link);
  return part;
}

}  // namespace tl
