// Makes the graph to compute from the graph as drawn: links the inputs of bypassed nodes through, and removes muted
// branches.
#include "core/graph/bypass.h"

#include <algorithm>
#include <optional>

#include "core/graph/link_index.h"

namespace tl {
namespace {

// Whether the node needs this link. A driven parameter needs its link: without it, its old value would be used
// silently.
bool is_required(const Graph& graph, const Registry& registry, const Link& link) {
  const NodeType* type = find_node_type(graph, registry, link.to_node);
  if (type == nullptr) return false;
  const PortDecl* port = type->input(link.to_port);
  return port != nullptr ? port->required : type->param(link.to_port) != nullptr;
}

using End = std::pair<std::string, std::string>;

// Finds the active output whose value reaches consumers through bypassed nodes.
class Sources {
 public:
  Sources(const Graph& graph, const Registry& registry, const LinkIndex& links)
      : graph_(graph), registry_(registry), links_(links) {}

  std::optional<End> of(const End& wanted) {
    std::vector<End> passed;
    std::optional<End> end = wanted;
    // A cycle of bypassed nodes would never end: no path is longer than the number of nodes.
    while (end && passed.size() <= graph_.nodes.size()) {
      const auto known = known_.find(*end);
      if (known != known_.end()) {
        end = known->second;
        break;
      }
      const auto node = graph_.nodes.find(end->first);
      if (node == graph_.nodes.end() || node->second.use != NodeUse::bypassed) break;
      passed.push_back(*end);
      end = before(*end, node->second);
    }
    if (passed.size() > graph_.nodes.size()) end.reset();
    for (End& each : passed) known_.emplace(std::move(each), end);
    return end;
  }

 private:
  [[nodiscard]] std::optional<End> before(const End& end, const GraphNode& node) const {
    const NodeType* type = registry_.find(node.type);
    const PortDecl* stand_in = type == nullptr ? nullptr : bypass_input(*type, end.second);
    const Link* link = stand_in == nullptr ? nullptr : links_.into(end.first, stand_in->name);
    return link == nullptr ? std::nullopt : std::optional<End>({link->from_node, link->from_port});
  }

  const Graph& graph_;
  const Registry& registry_;
  const LinkIndex& links_;
  std::map<End, std::optional<End>> known_;
};

void add_branches(const Graph& graph, const Registry& registry, const LinkIndex& links, std::set<std::string>& muted) {
  std::vector<std::string> open(muted.begin(), muted.end());
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    for (const Link* link : links.from(id))
      if (is_required(graph, registry, *link) && muted.insert(link->to_node).second) open.push_back(link->to_node);
  }
}

}  // namespace

const PortDecl* bypass_input(const NodeType& type, const std::string& output) {
  const PortDecl* out = type.output(output);
  if (out == nullptr) return nullptr;
  const auto found =
      std::find_if(type.inputs.begin(), type.inputs.end(), [&](const PortDecl& p) { return p.type == out->type; });
  return found == type.inputs.end() ? nullptr : &*found;
}

Result<void> may_bypass(const Graph& graph, const Registry& registry, const std::string& node) {
  const NodeType* type = find_node_type(graph, registry, node);
  if (type == nullptr) return invalid("there is no node \"" + node + "\"");
  const auto refused = [&](const PortDecl& port) {
    return invalid("\"" + type->title + "\" cannot be bypassed: it has no " + std::string(to_string(port.type)) +
                       " input that could pass through as \"" + port.name + "\"",
                   {}, "Mute it to leave its branch out");
  };
  if (type->outputs.empty())
    return invalid("\"" + type->title + "\" cannot be bypassed: it has no output", {}, "Mute it to leave it out");
  for (const PortDecl& port : type->outputs) {
    if (bypass_input(*type, port.name) != nullptr) continue;
    if (&port == &type->outputs.front()) return refused(port);
    for (const Link& link : graph.links)
      if (link.from_node == node && link.from_port == port.name && is_required(graph, registry, link))
        return refused(port);
  }
  return ok();
}

UsedGraph used_graph(const Graph& graph, const Registry& registry) {
  UsedGraph used;
  const auto active = [](const auto& entry) { return entry.second.use == NodeUse::active; };
  if (std::all_of(graph.nodes.begin(), graph.nodes.end(), active)) {
    used.graph = graph;
    return used;
  }
  for (const auto& [id, node] : graph.nodes)
    if (node.use == NodeUse::muted) used.muted.insert(id);
  const LinkIndex links(graph);
  Sources sources(graph, registry, links);
  add_branches(graph, registry, links, used.muted);
  used.graph.title = graph.title;
  used.graph.ui = graph.ui;
  for (const auto& [id, node] : graph.nodes) {
    if (node.use == NodeUse::active && used.muted.count(id) == 0) used.graph.nodes.emplace(id, node);
    const NodeType* type = registry.find(node.type);
    if (node.use != NodeUse::bypassed || type == nullptr) continue;
    for (const PortDecl& port : type->outputs)
      if (const auto source = sources.of({id, port.name}); source && used.muted.count(source->first) == 0)
        used.passed[{id, port.name}] = *source;
  }
  for (const Link& link : graph.links) {
    if (used.muted.count(link.to_node) != 0 || used.muted.count(link.from_node) != 0) continue;
    if (const auto to = graph.nodes.find(link.to_node); to != graph.nodes.end() && to->second.use == NodeUse::bypassed)
      continue;
    const auto source = sources.of({link.from_node, link.from_port});
    if (source && used.muted.count(source->first) == 0)
      used.graph.links.push_back({source->first, source->second, link.to_node, link.to_port});
  }
  return used;
}

std::string bypassed_and_muted_nodes(const Graph& graph) {
  std::string text;
  for (const auto& [id, node] : graph.nodes)
    if (node.use != NodeUse::active)
      text += (text.empty() ? "" : ", ") + id + " (" + std::string(to_string(node.use)) + ")";
  return text;
}

}  // namespace tl
