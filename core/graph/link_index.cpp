// Builds the index of a graph's links, and finds links in it.
#include "core/graph/link_index.h"

#include <algorithm>

#include "core/node/node_type.h"
#include "core/values/port_types.h"

namespace tl {
namespace {

const std::vector<const Link*>& links_of(const std::map<std::string_view, std::vector<const Link*>>& ends,
                                         std::string_view node) {
  static const std::vector<const Link*> none;
  const auto found = ends.find(node);
  return found == ends.end() ? none : found->second;
}

}  // namespace

LinkIndex::LinkIndex(const Graph& graph) {
  for (const Link& link : graph.links) {
    into_.emplace(std::pair<std::string_view, std::string_view>(link.to_node, link.to_port), &link);
    from_[link.from_node].push_back(&link);
    to_[link.to_node].push_back(&link);
  }
}

const Link* LinkIndex::into(std::string_view node, std::string_view port) const {
  const auto found = into_.find({node, port});
  return found == into_.end() ? nullptr : found->second;
}

const std::vector<const Link*>& LinkIndex::from(std::string_view node) const { return links_of(from_, node); }
const std::vector<const Link*>& LinkIndex::to(std::string_view node) const { return links_of(to_, node); }

int64_t LinkIndex::consumers(std::string_view node, std::string_view port) const {
  const std::vector<const Link*>& links = from(node);
  return std::count_if(links.begin(), links.end(), [&](const Link* link) { return link->from_port == port; });
}

bool gives_curve(const LinkIndex& links, const NodeType& type, std::string_view node) {
  const std::vector<const Link*>& all = links.from(node);
  return std::any_of(all.begin(), all.end(), [&](const Link* link) {
    const PortDecl* port = type.output(link->from_port);
    return port != nullptr && (is_curve(port->type) || port->name == residual_output);
  });
}

}  // namespace tl
