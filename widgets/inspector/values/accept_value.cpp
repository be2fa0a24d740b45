// Accepting a found value: writes it into the graph as a parameter.
#include "widgets/inspector/values/accept_value.h"

#include <algorithm>
#include <cmath>

#include "core/graph/edit.h"

namespace tl::ui {
namespace {

// The parameter that a link from the port drives; nullptr if it drives none.
const ParamDecl* driven_by(const Graph& graph, const Registry& registry, const Link& link, const std::string& node,
                           const std::string& port) {
  if (link.from_node != node || link.from_port != port) return nullptr;
  const NodeType* target = find_node_type(graph, registry, link.to_node);
  return target == nullptr ? nullptr : target->param(link.to_port);
}

bool drives_anything(const Graph& graph, const Registry& registry, const std::string& node, const std::string& port) {
  return std::any_of(graph.links.begin(), graph.links.end(),
                     [&](const Link& link) { return driven_by(graph, registry, link, node, port) != nullptr; });
}

// The output of the same type as an input, passed through: for an axis finder, the projections.
const PortDecl* pass_through_output(const NodeType& type) {
  for (const PortDecl& out : type.outputs)
    for (const PortDecl& in : type.inputs)
      if (in.type == out.type && is_image(in.type)) return &out;
  return nullptr;
}

void into_parameters(Graph& graph, const Registry& registry, const std::string& node, const std::string& port,
                     const Number& value) {
  for (const Link& link : graph.links) {
    const ParamDecl* decl = driven_by(graph, registry, link, node, port);
    if (decl == nullptr) continue;
    const bool whole = decl->kind == ParamKind::integer;
    graph.nodes.at(link.to_node).params[decl->name] =
        whole ? ParamValue{static_cast<int64_t>(std::llround(value.value))} : ParamValue{value};
  }
  std::erase_if(graph.links, [&](const Link& link) { return driven_by(graph, registry, link, node, port) != nullptr; });
}

}  // namespace

const NodeType* setter_for(const Registry& registry, const NodeType& finder, const std::string& port) {
  const PortDecl* passed = pass_through_output(finder);
  if (passed == nullptr) return nullptr;
  for (const NodeType& type : registry.types()) {
    const ParamDecl* decl = type.param(port);
    const PortDecl* out = type.outputs.empty() ? nullptr : pass_through_output(type);
    const bool measures = static_cast<bool>(type.measure);
    if (measures || type.inputs.size() != 1 || decl == nullptr || decl->kind != ParamKind::number) continue;
    if (out != nullptr && out->type == passed->type && type.outputs.size() == 1 && decl->learnable) return &type;
  }
  return nullptr;
}

bool can_accept(const Graph& graph, const Registry& registry, const std::string& node, const std::string& port) {
  const NodeType* type = find_node_type(graph, registry, node);
  if (type == nullptr) return false;
  return drives_anything(graph, registry, node, port) || setter_for(registry, *type, port) != nullptr;
}

Result<void> accept_value(Graph& graph, const Registry& registry, const std::string& node, const std::string& port,
                          const Number& value) {
  if (drives_anything(graph, registry, node, port)) {
    into_parameters(graph, registry, node, port, value);
    return ok();
  }
  const NodeType* type = find_node_type(graph, registry, node);
  const NodeType* setter = type == nullptr ? nullptr : setter_for(registry, *type, port);
  if (setter == nullptr) return invalid("no parameter can be set to this value", node, "Link it to a parameter first");
  Graph next = graph;
  const std::string passed = pass_through_output(*type)->name;
  TL_TRY(const std::string id, edit::add_node(next, registry, setter->id));
  next.nodes.at(id).params[port] = value;
  for (Link& link : next.links)
    if (link.from_node == node && link.from_port == passed)
      link = {id, setter->outputs.front().name, link.to_node, link.to_port};
  next.links.push_back({node, passed, id, setter->inputs.front().name});
  if (next.nodes.at(node).use == NodeUse::active) TL_TRY(edit::toggle_use(next, registry, {node}, NodeUse::bypassed));
  graph = std::move(next);
  return ok();
}

}  // namespace tl::ui
