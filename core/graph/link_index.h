// LinkIndex: finds the links of a graph by the port where they end, and by the node where they begin or end.
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace tl {

// Graph::link_into() searches all links; use this index to look up many ports of a large graph. The graph must outlive
// the index and must not change its links.
class LinkIndex {
 public:
  explicit LinkIndex(const Graph& graph);
  // The link that ends at a port or parameter (the first if there are several), or nullptr.
  [[nodiscard]] const Link* into(std::string_view node, std::string_view port) const;
  // The links that begin or end at a node, in the graph's order.
  [[nodiscard]] const std::vector<const Link*>& from(std::string_view node) const;
  [[nodiscard]] const std::vector<const Link*>& to(std::string_view node) const;
  [[nodiscard]] int64_t consumers(std::string_view node, std::string_view port) const;

 private:
  std::map<std::pair<std::string_view, std::string_view>, const Link*> into_;
  std::map<std::string_view, std::vector<const Link*>> from_, to_;
};

// The output that measures how well a found value fits the data, of nodes that have one.
inline constexpr std::string_view residual_output = "residual";
// Whether another node uses a table or spectrum of this one, such as the curve of a search, or its residual.
bool gives_curve(const LinkIndex& links, const NodeType& type, std::string_view node);

}  // namespace tl
