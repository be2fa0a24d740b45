// Edits graphs: adds, links, inserts, removes, copies and pastes nodes.
#include "core/graph/edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/graph/bypass.h"
#include "core/graph/graph_json.h"

namespace tl::edit {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* incoming_key = "incoming";  // key in the layout of copied text

bool is_numeric(const ParamDecl& decl) { return decl.kind == ParamKind::number || decl.kind == ParamKind::integer; }

// All nodes reached from a node along links, the node itself included.
Ids reached(const Graph& graph, const std::string& node, std::string Link::*from, std::string Link::*to) {
  std::multimap<std::string_view, const std::string*> next;
  for (const Link& l : graph.links) next.emplace(l.*from, &(l.*to));
  Ids visited{node};
  std::vector<std::string> open{node};
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    const auto [first, last] = next.equal_range(at);
    for (auto i = first; i != last; ++i)
      if (visited.insert(*i->second).second) open.push_back(*i->second);
  }
  return visited;
}

const PortDecl* first_of(const std::vector<PortDecl>& ports, PortType type) {
  const PortDecl* found = nullptr;
  for (const PortDecl& p : ports)
    if (p.type == type && (found == nullptr || (p.required && !found->required))) found = &p;
  return found;
}

std::string article(PortType type) { return "a " + std::string(to_string(type)); }

Result<void> types_agree(const NodeType& from, const NodeType& to, const Link& link) {
  const PortDecl* source = from.output(link.from_port);
  if (source == nullptr) return invalid("\"" + from.title + "\" has no output \"" + link.from_port + "\"");
  if (const PortDecl* target = to.input(link.to_port)) {
    if (target->type == source->type) return ok();
    return invalid(article(source->type) + " output cannot feed " + article(target->type) + " input", {},
                   "A node between them must make " + article(target->type) + " of it");
  }
  const ParamDecl* driven = to.param(link.to_port);
  if (driven == nullptr) return invalid("\"" + to.title + "\" has no input or parameter \"" + link.to_port + "\"");
  if (!is_number(source->type))
    return invalid("only a scalar output may drive a parameter, not " + article(source->type) + " output");
  if (!is_numeric(*driven)) return invalid("\"" + driven->title + "\" is not a number, so nothing can drive it");
  return ok();
}

Json link_json(const Link& l) {
  return Json{{"from", l.from_node + "." + l.from_port}, {"to", l.to_node + "." + l.to_port}};
}

std::optional<std::pair<std::string, std::string>> split_end(const Json& link, const char* key) {
  if (!link.is_object() || !link.contains(key) || !link[key].is_string()) return {};
  const std::string end = link[key].get<std::string>();
  const auto dot = end.find('.');
  if (dot == std::string::npos) return {};
  return std::pair{end.substr(0, dot), end.substr(dot + 1)};
}

void remove_one(Graph& graph, const Registry& registry, const std::string& node, Gap gap) {
  const NodeType* type = find_node_type(graph, registry, node);
  std::vector<Link> kept;
  for (const Link& l : graph.links) {
    if (l.to_node == node) continue;
    if (l.from_node != node) {
      kept.push_back(l);
      continue;
    }
    const PortDecl* stand_in = gap == Gap::reconnect && type != nullptr ? bypass_input(*type, l.from_port) : nullptr;
    const Link* source = stand_in == nullptr ? nullptr : graph.link_into(node, stand_in->name);
    if (source != nullptr && source->from_node != node)
      kept.push_back({source->from_node, source->from_port, l.to_node, l.to_port});
  }
  graph.links = std::move(kept);
  graph.nodes.erase(node);
}

}  // namespace

Result<std::string> add_node(Graph& graph, const Registry& registry, const std::string& type) {
  const NodeType* found = registry.find(type);
  if (found == nullptr) return registry.unknown(type);
  std::string id = graph.free_id(type);
  graph.nodes.emplace(id, GraphNode{type, found->version, {}});
  return id;
}

Result<void> may_connect(const Graph& graph, const Registry& registry, const Link& link) {
  const NodeType* from = find_node_type(graph, registry, link.from_node);
  const NodeType* to = find_node_type(graph, registry, link.to_node);
  if (from == nullptr || to == nullptr)
    return invalid("there is no node \"" + (from == nullptr ? link.from_node : link.to_node) + "\"");
  if (link.from_node == link.to_node) return invalid("a node cannot feed itself");
  TL_TRY(types_agree(*from, *to, link));
  if (downstream(graph, link.to_node).count(link.from_node) != 0)
    return invalid("this link would close a cycle: \"" + from->title + "\" already depends on \"" + to->title + "\"",
                   {}, "Links cannot form a cycle: iterations are done inside a node");
  return ok();
}

Result<void> connect(Graph& graph, const Registry& registry, const Link& link) {
  TL_TRY(may_connect(graph, registry, link));
  std::erase_if(graph.links, [&](const Link& l) { return l.to_node == link.to_node && l.to_port == link.to_port; });
  graph.links.push_back(link);
  return ok();
}

void disconnect(Graph& graph, const Link& link) { std::erase(graph.links, link); }

Ids upstream(const Graph& graph, const std::string& node) {
  return reached(graph, node, &Link::to_node, &Link::from_node);
}
Ids downstream(const Graph& graph, const std::string& node) {
  return reached(graph, node, &Link::from_node, &Link::to_node);
}

std::vector<FittingPort> fitting_ports_after(const Registry& registry, PortType output) {
  std::vector<FittingPort> fits;
  for (const NodeType& type : registry.types())
    if (const PortDecl* port = first_of(type.inputs, output)) fits.push_back({type.id, port->name});
  return fits;
}

std::vector<FittingPort> fitting_ports_before(const Registry& registry, PortType input) {
  std::vector<FittingPort> fits;
  for (const NodeType& type : registry.types())
    if (const PortDecl* port = first_of(type.outputs, input)) fits.push_back({type.id, port->name});
  return fits;
}

std::vector<std::string> fitting_inputs(const Graph& graph, const Registry& registry, const std::string& from_node,
                                        const std::string& from_port, const std::string& to_node) {
  const NodeType* to = find_node_type(graph, registry, to_node);
  if (to == nullptr) return {};
  std::vector<std::pair<int, std::string>> ranked;
  const auto consider = [&](const std::string& name, int rank) {
    if (may_connect(graph, registry, {from_node, from_port, to_node, name}).ok())
      ranked.emplace_back(rank + (graph.link_into(to_node, name) == nullptr ? 0 : 2), name);
  };
  for (const PortDecl& p : to->inputs) consider(p.name, p.required ? 0 : 1);
  for (const ParamDecl& p : to->params) consider(p.name, 4);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [rank, name] : ranked) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> fitting_outputs(const Graph& graph, const Registry& registry, const std::string& from_node,
                                         const std::string& to_node, const std::string& to_port) {
  const NodeType* from = find_node_type(graph, registry, from_node);
  std::vector<std::string> names;
  if (from == nullptr) return names;
  for (const PortDecl& p : from->outputs)
    if (may_connect(graph, registry, {from_node, p.name, to_node, to_port}).ok()) names.push_back(p.name);
  return names;
}

Result<void> insert_on_link(Graph& graph, const Registry& registry, const std::string& node, const Link& link) {
  const NodeType* type = find_node_type(graph, registry, node);
  const NodeType* from = find_node_type(graph, registry, link.from_node);
  const PortDecl* source = from == nullptr ? nullptr : from->output(link.from_port);
  if (type == nullptr || source == nullptr) return invalid("there is no such node or link");
  if (std::find(graph.links.begin(), graph.links.end(), link) == graph.links.end())
    return invalid("there is no such link");
  const auto refused = [&](const char* what) {
    return invalid("\"" + type->title + "\" cannot go between: it has no " + std::string(to_string(source->type)) +
                   " " + what);
  };
  const PortDecl* in = nullptr;
  for (const PortDecl& p : type->inputs)
    if (in == nullptr && p.type == source->type && graph.link_into(node, p.name) == nullptr) in = &p;
  if (in == nullptr) return refused("input that is free");
  const PortDecl* out = first_of(type->outputs, source->type);
  if (out == nullptr) return refused("output");
  Graph changed = graph;
  disconnect(changed, link);
  TL_TRY(connect(changed, registry, {link.from_node, link.from_port, node, in->name}));
  TL_TRY(connect(changed, registry, {node, out->name, link.to_node, link.to_port}));
  graph = std::move(changed);
  return ok();
}

Result<void> insert_after(Graph& graph, const Registry& registry, const std::string& node, const std::string& before) {
  const NodeType* type = find_node_type(graph, registry, node);
  const NodeType* source = find_node_type(graph, registry, before);
  if (type == nullptr || source == nullptr) return invalid("there is no such node");
  for (const PortDecl& output : source->outputs) {
    const PortDecl* in = first_of(type->inputs, output.type);
    if (in == nullptr) continue;
    Graph changed = graph;
    const PortDecl* out = first_of(type->outputs, output.type);
    for (const Link& link : graph.links) {
      if (out == nullptr || link.from_node != before || link.from_port != output.name) continue;
      TL_TRY(connect(changed, registry, {node, out->name, link.to_node, link.to_port}));
    }
    TL_TRY(connect(changed, registry, {before, output.name, node, in->name}));
    share_inputs(changed, registry, node, before, output.type);
    graph = std::move(changed);
    return ok();
  }
  return invalid("\"" + type->title + "\" takes nothing that \"" + source->title + "\" gives");
}

void share_inputs(Graph& graph, const Registry& registry, const std::string& node, const std::string& before,
                  PortType linked) {
  const NodeType* type = find_node_type(graph, registry, node);
  const NodeType* source = find_node_type(graph, registry, before);
  if (type == nullptr || source == nullptr) return;
  for (const PortDecl& input : type->inputs) {
    if (!input.required || input.type == linked || graph.link_into(node, input.name) != nullptr) continue;
    const PortDecl* same = first_of(source->inputs, input.type);
    const Link* shared = same == nullptr ? nullptr : graph.link_into(before, same->name);
    // If an input cannot be linked, the edit still succeeds; the node then reports the missing input.
    if (shared != nullptr) (void)connect(graph, registry, {shared->from_node, shared->from_port, node, input.name});
  }
}

bool may_follow(const Graph& graph, const Registry& registry, const NodeType& type, const std::string& before) {
  const NodeType* source = find_node_type(graph, registry, before);
  return source != nullptr && std::any_of(source->outputs.begin(), source->outputs.end(), [&](const PortDecl& output) {
           return first_of(type.inputs, output.type) != nullptr;
         });
}

void remove_nodes(Graph& graph, const Registry& registry, const Ids& nodes, Gap gap) {
  for (const std::string& node : nodes) remove_one(graph, registry, node, gap);
}

std::string copy_text(const Graph& graph, const Ids& nodes, const std::string& ui) {
  Graph part;
  part.title = graph.title;
  Json layout = ui.empty() ? Json::object() : Json::parse(ui, nullptr, false);
  if (!layout.is_object()) layout = Json::object();
  Json incoming = Json::array();
  for (const auto& [id, node] : graph.nodes)
    if (nodes.count(id) != 0) part.nodes.emplace(id, node);
  for (const Link& l : graph.links) {
    if (nodes.count(l.to_node) == 0) continue;
    if (nodes.count(l.from_node) != 0)
      part.links.push_back(l);
    else
      incoming.push_back(link_json(l));
  }
  if (!incoming.empty()) layout[incoming_key] = std::move(incoming);
  if (!layout.empty()) part.ui = layout.dump();
  return to_json(part);
}

Result<Pasted> paste_text(Graph& graph, const Registry& registry, std::string_view text, Incoming incoming) {
  TL_TRY(const Graph part, graph_from_json(text, registry, "clipboard", Completeness::draft));
  Graph changed = graph;
  Pasted pasted;
  for (const auto& [id, node] : part.nodes) {
    const std::string fresh = changed.free_id(node.type);
    changed.nodes.emplace(fresh, node);
    pasted.ids[id] = fresh;
  }
  for (const Link& l : part.links)
    changed.links.push_back({pasted.ids.at(l.from_node), l.from_port, pasted.ids.at(l.to_node), l.to_port});
  Json layout = part.ui.empty() ? Json::object() : Json::parse(part.ui, nullptr, false);
  if (layout.is_object() && layout.contains(incoming_key)) {
    for (const Json& link : layout[incoming_key]) {
      const auto from = split_end(link, "from"), to = split_end(link, "to");
      if (incoming == Incoming::dropped || !from || !to || pasted.ids.count(to->first) == 0) continue;
      const Link wanted{from->first, from->second, pasted.ids.at(to->first), to->second};
      // The link is skipped if its source no longer exists or has become another node.
      const bool made =
          changed.link_into(wanted.to_node, wanted.to_port) == nullptr && may_connect(changed, registry, wanted).ok();
      if (made) changed.links.push_back(wanted);
    }
    layout.erase(incoming_key);
  }
  pasted.ui = layout.is_object() && !layout.empty() ? layout.dump() : "";
  graph = std::move(changed);
  return pasted;
}

Result<void> toggle_use(Graph& graph, const Registry& registry, const Ids& nodes, NodeUse use) {
  Ids known;
  for (const std::string& id : nodes)
    if (graph.nodes.count(id) != 0) known.insert(id);
  const bool all =
      std::all_of(known.begin(), known.end(), [&](const auto& id) { return graph.nodes.at(id).use == use; });
  const NodeUse next = all ? NodeUse::active : use;
  if (next == NodeUse::bypassed)
    for (const std::string& id : known) TL_TRY(may_bypass(graph, registry, id));
  for (const std::string& id : known) graph.nodes.at(id).use = next;
  return ok();
}

}  // namespace tl::edit
